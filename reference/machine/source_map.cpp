// Return addresses to the student's own lines, through the DWARF line table and, for what our
// headers inline, the inlined call sites.
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "machine/engine.hpp"

namespace scanlab::machine {
namespace {

Dwarf* dwarf = nullptr;
int source_file = -1;  // it reads from there
std::uintptr_t base_address = 0;
std::vector<Dwarf_Die> units;
std::unordered_map<std::uintptr_t, Place> known;

std::string plain(const char* path) {
  const char* slash = path != nullptr ? std::strrchr(path, '/') : nullptr;
  return slash != nullptr ? slash + 1 : path != nullptr ? path : "";
}

// The call site of the inlined function `scope`.
Place call_site(Dwarf_Die* unit, Dwarf_Die* scope) {
  Dwarf_Attribute attribute;
  Dwarf_Word line = 0, file = 0;
  if (dwarf_formudata(dwarf_attr(scope, DW_AT_call_line, &attribute), &line) != 0) return {};
  if (dwarf_formudata(dwarf_attr(scope, DW_AT_call_file, &attribute), &file) != 0) return {};
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrcfiles(unit, &files, &count) != 0 || file >= count) return {};
  return {plain(dwarf_filesrc(files, file, nullptr, nullptr)), static_cast<unsigned>(line)};
}

// Asked of each unit itself: the table of address ranges that libdw would look into, clang++ does
// not write.
Dwarf_Die* unit_of(std::uintptr_t address) {
  const auto found = std::find_if(units.begin(), units.end(),
                                  [&](Dwarf_Die& unit) { return dwarf_haspc(&unit, address) > 0; });
  return found == units.end() ? nullptr : &*found;
}

Place look_up(std::uintptr_t address) {
  Dwarf_Die* const known_unit = unit_of(address);
  if (known_unit == nullptr) return {};
  Dwarf_Die unit = *known_unit;
  Dwarf_Line* row = dwarf_getsrc_die(&unit, address);
  int line = 0;
  if (row == nullptr || dwarf_lineno(row, &line) != 0) return {};
  const Place direct{plain(dwarf_linesrc(row, nullptr, nullptr)), static_cast<unsigned>(line)};
  if (direct.file == engine().source) return direct;
  Dwarf_Die *innermost = nullptr, *scopes = nullptr;
  if (dwarf_getscopes(&unit, address, &innermost) <= 0) return direct;
  // From there outwards as the code is nested: dwarf_getscopes itself goes on with where the
  // function was defined.
  const int count = dwarf_getscopes_die(&innermost[0], &scopes);
  Place found = direct;
  for (int i = 0; i < count && found.file != engine().source; ++i)
    if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine) found = call_site(&unit, &scopes[i]);
  std::free(scopes);
  std::free(innermost);
  return found;
}

// libdw decodes a unit's line table at its first use, with a row of it on the stack for each line:
// too much for a fiber's stack. So that is done here, on the host's.
void decode_lines() {
  Dwarf_Off offset = 0, next = 0;
  std::size_t header = 0;
  for (; dwarf_nextcu(dwarf, offset, &next, &header, nullptr, nullptr, nullptr) == 0;
       offset = next) {
    Dwarf_Die unit;
    Dwarf_Lines* lines = nullptr;
    std::size_t count = 0;
    if (dwarf_offdie(dwarf, offset + header, &unit) == nullptr) continue;
    dwarf_getsrclines(&unit, &lines, &count);
    units.push_back(unit);
  }
}

}  // namespace

void load_source_map(const std::string& path, std::uintptr_t base) {
  base_address = base;
  known.clear();
  units.clear();
  if (dwarf != nullptr) dwarf_end(dwarf);
  if (source_file >= 0) close(source_file);
  source_file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  dwarf = source_file >= 0 ? dwarf_begin(source_file, DWARF_C_READ) : nullptr;
  if (dwarf != nullptr) decode_lines();
}

Place place_of(Pc pc) {
  if (dwarf == nullptr || pc == nullptr) return {engine().source, 0};
  const std::uintptr_t address =
      reinterpret_cast<std::uintptr_t>(pc) - 1 - base_address;  // inside the call
  const auto [at, fresh] = known.try_emplace(address);
  if (fresh) at->second = look_up(address);
  return at->second;
}

}  // namespace scanlab::machine
