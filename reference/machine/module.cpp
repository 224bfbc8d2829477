#include "machine/module.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <stdexcept>

namespace scanlab::machine {
namespace {

constexpr unsigned kStaticTlsBytes =
    16 << 20;  // twice what grader/scanlab/build.py lets a submission use

struct Variable {
  std::string name;
  std::uint64_t value;  // offset in the TLS segment, or address in the module
  std::uint64_t bytes;
  bool shared, writable;
  std::vector<std::uint8_t> initial;  // what a fresh process finds there
};

std::vector<Variable> globals;
std::vector<std::unique_ptr<Region>> shared_storage;

struct Image {
  std::string path;
  std::uintptr_t begin = 0, end = 0;
  std::uintptr_t data_begin = 0, data_end = 0;
  std::size_t tls_module = 0, tls_bytes = 0;
  bool found = false;
};

int inspect(dl_phdr_info* info, std::size_t, void* data) {
  auto& image = *static_cast<Image*>(data);
  if (image.path != info->dlpi_name) return 0;
  image.found = true;
  image.begin = info->dlpi_addr;
  image.tls_module = info->dlpi_tls_modid;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    const std::uintptr_t first = image.begin + header.p_vaddr, last = first + header.p_memsz;
    if (header.p_type == PT_LOAD) {
      image.end = std::max(image.end, last);
      if ((header.p_flags & PF_W) != 0) {
        image.data_begin = std::max(image.data_begin, first);
        image.data_end = std::max(image.data_end, last);
      }
    }
    if (header.p_type == PT_GNU_RELRO)
      image.data_begin = std::max(image.data_begin, last);  // written by the loader only
    if (header.p_type == PT_TLS) image.tls_bytes = header.p_memsz;
  }
  return 1;
}

// "kernel<int, 32u>(int const*, int*, unsigned int)::XY" is XY.
std::string plain_name(const char* symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string name = status == 0 ? text : symbol;
  std::free(text);
  const std::size_t scope = name.rfind("::");
  if (scope != std::string::npos) name = name.substr(scope + 2);
  return name.substr(0, name.find_first_of("<(["));
}

// In .data or .bss; .data.rel.ro looks writable, but the loader has sealed it.
bool is_writable(Elf* elf, std::size_t section) {
  GElf_Shdr header;
  std::size_t names = 0;
  if (gelf_getshdr(elf_getscn(elf, section), &header) == nullptr ||
      elf_getshdrstrndx(elf, &names) != 0)
    return false;
  const char* name = elf_strptr(elf, names, header.sh_name);
  return name != nullptr && (std::strcmp(name, ".data") == 0 || std::strcmp(name, ".bss") == 0);
}

// The build's table of what each line that allocates calls the array: "83:sums\n95:states\n".
constexpr const char* kArrayNames = "scanlab_array_names";

std::map<unsigned, std::string> read_array_names(void* handle) {
  std::map<unsigned, std::string> names;
  const auto* table = static_cast<const char*>(dlsym(handle, kArrayNames));
  std::istringstream lines(table != nullptr ? table : "");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos)
      names[static_cast<unsigned>(std::atoi(line.c_str()))] = line.substr(colon + 1);
  }
  return names;
}

std::vector<Variable> read_symbols(Elf* elf) {
  std::vector<Variable> found;
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr || symbol.st_size == 0)
        continue;
      const int type = GELF_ST_TYPE(symbol.st_info);
      if ((type != STT_TLS && type != STT_OBJECT) || symbol.st_shndx == SHN_UNDEF) continue;
      if (std::strcmp(elf_strptr(elf, header.sh_link, symbol.st_name), kArrayNames) == 0) continue;
      found.push_back({plain_name(elf_strptr(elf, header.sh_link, symbol.st_name)),
                       symbol.st_value,
                       symbol.st_size,
                       type == STT_TLS,
                       is_writable(elf, symbol.st_shndx),
                       {}});
    }
  }
  return found;
}

std::vector<Variable> read_variables(const std::string& path) {
  elf_version(EV_CURRENT);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw std::runtime_error("cannot open " + path);
  Elf* elf = elf_begin(file, ELF_C_READ, nullptr);
  std::vector<Variable> found = read_symbols(elf);
  elf_end(elf);
  close(file);
  return found;
}

struct TlsIndex {
  std::size_t module, offset;
};
extern "C" void* __tls_get_addr(TlsIndex*);

void add_shared(const Variable& variable) {
  Engine& e = engine();
  auto region = std::make_unique<Region>();
  region->name = variable.name;
  region->space = Space::shared;
  region->begin = reinterpret_cast<std::uintptr_t>(e.shared) + variable.value;
  region->bytes = variable.bytes;
  region->id = static_cast<unsigned>(shared_storage.size());
  e.shared_regions.push_back(region.get());
  shared_storage.push_back(std::move(region));
}

// A global larger than this is neither restored nor watched: no scan needs one, and each run would
// pay for it.
constexpr std::uint64_t kMostWatched = 16 << 20;

void add_global(Variable variable) {
  if (variable.bytes > kMostWatched) return;
  const auto* at = reinterpret_cast<const std::uint8_t*>(engine().module_begin + variable.value);
  if (variable.writable) variable.initial.assign(at, at + variable.bytes);
  globals.push_back(std::move(variable));
}

// A module that is loaded takes the place of the one before.
void take_variables(const std::string& path) {
  Engine& e = engine();
  globals.clear();
  e.shared_regions.clear();
  shared_storage.clear();
  for (Variable& variable : read_variables(path)) {
    if (variable.shared) {
      add_shared(variable);
    } else {
      add_global(std::move(variable));
    }
  }
  std::sort(e.shared_regions.begin(), e.shared_regions.end(),
            [](const Region* a, const Region* b) { return a->begin < b->begin; });
}

}  // namespace

// A run starts as a fresh process would: what an earlier run left in static variables is not its
// concern.
void add_module_regions() {
  for (const Variable& variable : globals) {
    if (!variable.initial.empty())
      std::memcpy(reinterpret_cast<void*>(engine().module_begin + variable.value),
                  variable.initial.data(), variable.bytes);
    Region& region =
        add_region(variable.name, Space::module,
                   reinterpret_cast<void*>(engine().module_begin + variable.value), variable.bytes);
    region.managed = true;  // a __device__ variable or the host's own: the file does not tell
    set_bits(region.written, 0, variable.bytes);
  }
}

void reserve_shared_memory(char** argv) {
  constexpr const char* kTunables = "GLIBC_TUNABLES";
  const char* set = std::getenv(kTunables);
  if (set != nullptr && std::strstr(set, "optional_static_tls") != nullptr) return;
  const std::string wanted = std::string(set != nullptr ? set : "") + (set != nullptr ? ":" : "") +
                             "glibc.rtld.optional_static_tls=" + std::to_string(kStaticTlsBytes);
  setenv(kTunables, wanted.c_str(), 1);
  execv("/proc/self/exe", argv);  // where that fails, submissions with few shared arrays still load
}

Module load_module(const std::string& path, const std::string& source) {
  Engine& e = engine();
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(dlerror());
  Image image;
  image.path = path;
  dl_iterate_phdr(inspect, &image);
  if (!image.found) throw std::runtime_error("the loader does not list " + path);
  e.source = source;
  e.module_begin = image.begin;
  e.module_end = image.end;
  e.data_begin = image.data_begin;
  e.data_end = image.data_end;
  e.shared = nullptr;
  e.shared_bytes = 0;
  if (image.tls_bytes > 0) {
    TlsIndex index{image.tls_module, 0};
    e.shared = static_cast<std::uint8_t*>(__tls_get_addr(&index));
    e.shared_bytes = image.tls_bytes;
  }
  take_variables(path);
  load_source_map(path, image.begin);
  e.array_names = read_array_names(handle);
  Module module;
  module.entry = reinterpret_cast<EntryFunction>(dlsym(handle, "scanlab_entry"));
  module.program = reinterpret_cast<int (*)(int, char**)>(dlsym(handle, "scanlab_program_main"));
  return module;
}

}  // namespace scanlab::machine
