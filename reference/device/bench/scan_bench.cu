// scanlab_scan_bench: how fast the labs' solutions and the capstone's fast form are on this GPU,
// and whether they are right, next to a device-to-device copy and cub::DeviceScan in the same run.
//
//   scanlab_scan_bench [--set NAME]... [--sizes N,N,...] [--types float32,int32] [--samples 21]
//                      [--runs 200] [--json PATH]
//
// Sets: labs (the performance page), large, small, shapes, variants (steps and choices, for handout
// 07b), stress (200 poisoned runs with a third of the multiprocessors occupied), driver (odd sizes
// through the public function). Without --set: driver, labs, stress.
// Exit status: 0; 1 if an output was wrong; 2 for bad usage; 3 if CUDA failed.
//
// Without CMake, from the repository's root (-arch=sm_75 to sm_90, or native):
//   nvcc -std=c++17 -O3 -I. -arch=sm_90 reference/device/bench/scan_bench.cu
//
// How times are taken: each sample is a batch of launches in a row between two events, divided by
// their number; the candidates take turns, so that a change of clocks hits all of them; the buffers
// change with each launch, and together are several times the L2 cache. Value: the median of the
// samples. Spread: between the quartiles.
#include "solutions.cuh"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace scanlab::bench {
namespace {

struct Options {
  std::vector<std::string> sets;
  std::vector<unsigned> sizes;  // empty: each set's own
  std::vector<std::string> types{"float32", "int32"};
  unsigned samples = 21;
  unsigned stress_runs = 200;
  std::string json;
};

struct Result {
  std::string set;
  std::string name;
  std::string type;
  unsigned n = 0;
  double microseconds = 0;
  double spread = 0;
  double of_copy = 0;  // a copy's time / this time
  double of_cub = 0;   // CUB's time / this time
  unsigned long long wrong = 0;
  unsigned runs = 0;  // that were verified
};

template <typename T>
const char* type_name() {
  if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? "float32" : "float64";
  return sizeof(T) == 4 ? "int32" : "int64";
}

// Pairs of input and output, as many as it takes to be past the L2 cache several times.
template <typename T>
class Buffers {
 public:
  Buffers(unsigned n, std::size_t least_bytes, cudaStream_t stream)
      : n_(n),
        stride_(((std::size_t{n} + kGuard + 63) / 64) * 64),
        pairs_(static_cast<unsigned>(
            std::max<std::size_t>(2, least_bytes / (2 * sizeof(T) * stride_)))),
        in_(stride_ * pairs_),
        out_(stride_ * pairs_) {
    fill<<<1024, 256, 0, stream>>>(in_.get(), in_.size(), 20260101ull + n);
    must(cudaGetLastError());
  }
  unsigned n() const { return n_; }
  void next() { current_ = (current_ + 1) % pairs_; }
  const T* in() const { return in_.get() + current_ * stride_; }
  T* out() const { return out_.get() + current_ * stride_; }

  void poison(cudaStream_t stream) const {
    must(cudaMemsetAsync(out(), kPoison, (std::size_t{n_} + kGuard) * sizeof(T), stream));
  }

 private:
  unsigned n_;
  std::size_t stride_;
  unsigned pairs_;
  DeviceArray<T> in_;
  DeviceArray<T> out_;
  std::size_t current_ = 0;
};

class Bench {
 public:
  explicit Bench(const Options& options) : options_(options), wrong_(1) {
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    must(cudaEventCreate(&begin_));
    must(cudaEventCreate(&end_));
    must(cudaMallocHost(&wrong_host_, sizeof(*wrong_host_)));
    must(cudaMemset(wrong_.get(), 0, sizeof(unsigned long long)));
  }

  int run();

 private:
  template <typename T>
  void run_type(const std::string& set);
  template <typename T>
  std::vector<Candidate<T>> candidates(const std::string& set, unsigned n) const;
  std::vector<unsigned> sizes(const std::string& set, bool floats) const;

  template <typename T>
  unsigned long long verify_once(const Candidate<T>& candidate, Buffers<T>& buffers);
  template <typename T>
  double time_batch(const Candidate<T>& candidate, Buffers<T>& buffers, unsigned batch);
  template <typename T>
  void measure(const std::string& set, unsigned n);
  template <typename T>
  void stress(unsigned n);
  template <typename T>
  void test_driver();
  template <typename T>
  unsigned long long test_driver_at(unsigned n, unsigned offset);

  void keep(Result result);
  void write_json() const;

  Options options_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
  DeviceArray<unsigned long long> wrong_;
  unsigned long long* wrong_host_ = nullptr;
  std::vector<Result> results_;
};

// How many elements are wrong after one launch into a poisoned buffer.
template <typename T>
unsigned long long Bench::verify_once(const Candidate<T>& candidate, Buffers<T>& buffers) {
  buffers.poison(stream_);
  candidate.launch(buffers.in(), buffers.out(), buffers.n(), stream_);
  must(cudaGetLastError());
  must(cudaMemsetAsync(wrong_.get(), 0, sizeof(unsigned long long), stream_));
  count_wrong<<<1024, 256, 0, stream_>>>(buffers.in(), buffers.out(), buffers.n(),
                                         candidate.section, wrong_.get());
  must(cudaGetLastError());
  must(cudaMemcpyAsync(wrong_host_, wrong_.get(), sizeof(*wrong_host_), cudaMemcpyDeviceToHost,
                       stream_));
  must(cudaStreamSynchronize(stream_));
  buffers.next();
  return *wrong_host_;
}

// Microseconds a launch.
template <typename T>
double Bench::time_batch(const Candidate<T>& candidate, Buffers<T>& buffers, unsigned batch) {
  if (batch >= 8) delay<<<1, 1, 0, stream_>>>(batch * 10000ull);
  if (batch > 1) {  // not counted: each candidate finds the L2 cache as it leaves it itself
    candidate.launch(buffers.in(), buffers.out(), buffers.n(), stream_);
    buffers.next();
  }
  must(cudaEventRecord(begin_, stream_));
  for (unsigned k = 0; k < batch; ++k) {
    candidate.launch(buffers.in(), buffers.out(), buffers.n(), stream_);
    buffers.next();
  }
  must(cudaGetLastError());
  must(cudaEventRecord(end_, stream_));
  must(cudaEventSynchronize(end_));
  float milliseconds = 0;
  must(cudaEventElapsedTime(&milliseconds, begin_, end_));
  return milliseconds * 1000.0 / batch;
}

double quantile(const std::vector<double>& sorted, double q) {
  return sorted[static_cast<std::size_t>(std::lround(q * static_cast<double>(sorted.size() - 1)))];
}

template <typename T>
void Bench::measure(const std::string& set, unsigned n) {
  constexpr std::size_t kPastTheCache = std::size_t{320} << 20;
  constexpr unsigned kVerifications = 3;
  Buffers<T> buffers(n, kPastTheCache, stream_);
  const std::vector<Candidate<T>> all = candidates<T>(set, n);
  std::vector<Result> results(all.size());
  std::vector<unsigned> batch(all.size());
  std::vector<std::vector<double>> samples(all.size());
  for (std::size_t c = 0; c < all.size(); ++c) {
    results[c].set = set;
    results[c].name = all[c].name;
    results[c].type = type_name<T>();
    results[c].n = n;
    for (unsigned k = 0; k < kVerifications; ++k) results[c].wrong += verify_once(all[c], buffers);
    results[c].runs = kVerifications;
    const double guess = time_batch(all[c], buffers, 1);  // a warm-up too
    batch[c] =
        static_cast<unsigned>(std::clamp(1500.0 / guess, 1.0, n <= (1u << 20) ? 200.0 : 40.0));
    time_batch(all[c], buffers, batch[c]);
  }
  for (unsigned round = 0; round < options_.samples; ++round) {
    for (std::size_t c = 0; c < all.size(); ++c) {
      samples[c].push_back(time_batch(all[c], buffers, batch[c]));
    }
  }
  for (std::size_t c = 0; c < all.size(); ++c) {
    std::sort(samples[c].begin(), samples[c].end());
    results[c].microseconds = quantile(samples[c], 0.5);
    results[c].spread = quantile(samples[c], 0.75) - quantile(samples[c], 0.25);
  }
  for (std::size_t c = 0; c < all.size(); ++c) {
    results[c].of_copy =
        results[0].microseconds / results[c].microseconds;  // references() come first
    results[c].of_cub = results[1].microseconds / results[c].microseconds;
    keep(results[c]);
  }
}

// A kernel of another stream that has a third of the multiprocessors for itself until it is told to
// stop.
class Occupier {
 public:
  Occupier() {
    int device = 0;
    int multiprocessors = 0;
    int shared = 0;
    must(cudaGetDevice(&device));
    must(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    must(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    blocks_ = static_cast<unsigned>(multiprocessors) / 3;
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    must(cudaHostAlloc(&words_, (blocks_ + 1) * sizeof(unsigned), cudaHostAllocMapped));
    std::fill_n(words_, blocks_ + 1, 0u);
    must(cudaFuncSetAttribute(occupy, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    occupy<<<blocks_, 128, static_cast<std::size_t>(shared), stream_>>>(words_ + 1, words_);
    must(cudaGetLastError());
    while (std::count(words_ + 1, words_ + 1 + blocks_, 1u) !=
           static_cast<std::ptrdiff_t>(blocks_)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  // Still there? (It gives up after a minute.)
  bool running() const {
    const bool not_ready = cudaStreamQuery(stream_) == cudaErrorNotReady;
    static_cast<void>(cudaGetLastError());  // "not ready" would be found by the next check
    return not_ready;
  }
  ~Occupier() {
    *static_cast<volatile unsigned*>(words_) = 1;
    must(cudaStreamSynchronize(stream_));
    must(cudaFreeHost(words_));
    must(cudaStreamDestroy(stream_));
  }
  Occupier(const Occupier&) = delete;
  Occupier& operator=(const Occupier&) = delete;

 private:
  unsigned blocks_ = 0;
  unsigned* words_ = nullptr;  // [0]: stop; then one for each block that has started
  cudaStream_t stream_ = nullptr;
};

template <typename T>
std::vector<Candidate<T>> stressed(unsigned n) {
  std::vector<Candidate<T>> all{look_back_fast<T>(n, false), look_back_fast<T>(n, true)};
  if (n <= (1u << 22)) {
    auto impatient = make_shared_plan<T>(n);
    impatient->patience =
        0;  // every block adds up all tiles before its own: the way out must be right too
    if (n <= (1u << 18)) {
      all.push_back(
          {"look_back_fast.help", 0, [impatient](const T* X, T* Y, unsigned N, cudaStream_t s) {
             fast::run_plan(*impatient, X, Y, N, s);
           }});
    }
    auto plan = make_shared_plan<T>(n);
    all.push_back(persistent_step<T, fast::LargeShape>("look_back_fast.persistent", plan));
  }
  return all;
}

template <typename T>
void Bench::stress(unsigned n) {
  Buffers<T> buffers(n, std::size_t{64} << 20, stream_);
  const std::vector<Candidate<T>> all = stressed<T>(n);
  // Everything is loaded and allocated before: neither can be done while a kernel will not end.
  for (const Candidate<T>& candidate : all) verify_once(candidate, buffers);
  must(cudaDeviceSynchronize());
  std::vector<Result> results;
  for (const Candidate<T>& candidate : all) {
    const Occupier occupier;
    Result result{"stress", candidate.name, type_name<T>(), n};
    for (unsigned k = 0; k < options_.stress_runs; ++k) {
      result.wrong += verify_once(candidate, buffers) != 0;
      ++result.runs;
    }
    if (!occupier.running()) {
      std::fprintf(stderr, "the occupying kernel ended too early\n");
      result.wrong = result.runs;
    }
    results.push_back(result);
  }
  for (const Result& result : results) keep(result);
}

template <typename T>
unsigned long long Bench::test_driver_at(unsigned n, unsigned offset) {
  const Candidate<T> driver{"driver", 0, [offset](const T* X, T* Y, unsigned N, cudaStream_t s) {
                              must(cudaStreamSynchronize(s));
                              fast::look_back_inclusive_scan<T>(X + offset, Y + offset, N - offset);
                              must(cudaDeviceSynchronize());
                            }};
  Buffers<T> buffers(n, 0, stream_);
  if (offset == 0) return verify_once(driver, buffers) + verify_once(driver, buffers);
  // Arrays that do not lie on 16 bytes: everything is one element further on.
  buffers.poison(stream_);
  driver.launch(buffers.in(), buffers.out(), n, stream_);
  must(cudaMemset(wrong_.get(), 0, sizeof(unsigned long long)));
  count_wrong<<<1024, 256, 0, stream_>>>(buffers.in() + 1, buffers.out() + 1, n - 1, 0u,
                                         wrong_.get());
  must(cudaMemcpyAsync(wrong_host_, wrong_.get(), sizeof(*wrong_host_), cudaMemcpyDeviceToHost,
                       stream_));
  must(cudaStreamSynchronize(stream_));
  return *wrong_host_;
}

// The public function: any N, arrays on 16 bytes and not.
template <typename T>
void Bench::test_driver() {
  Result result{"driver", "look_back_inclusive_scan", type_name<T>(), 0};
  std::vector<unsigned> sizes{
      0, 1, 2, 3, 31, 32, 33, 255, 1000003, (1u << 25) + 12289, 3 * (1u << 23) + 7};
  for (unsigned bits : {10u, 12u, 13u, 14u, 17u, 22u, 24u, 25u}) {
    for (int delta : {-1, 0, 1}) sizes.push_back((1u << bits) + static_cast<unsigned>(delta));
  }
  for (unsigned n : sizes) {
    for (unsigned offset : {0u, 1u}) {
      if (offset == 1 && (n < 2 || n > 2000000)) continue;
      const unsigned long long wrong = test_driver_at<T>(n, offset);
      if (wrong != 0)
        std::fprintf(stderr, "driver: n %u offset %u: %llu wrong\n", n, offset, wrong);
      result.wrong += wrong;
      ++result.runs;
    }
  }
  keep(result);
}

template <typename T>
std::vector<Candidate<T>> Bench::candidates(const std::string& set, unsigned n) const {
  if (set == "labs") return lab_candidates<T>(n);
  if (set == "large") return large_steps<T>(n);
  if (set == "small") return small_steps<T>(n);
  if (set == "shapes") return shapes<T>(n);
  return lab_variants<T>(n);
}

std::vector<unsigned> Bench::sizes(const std::string& set, bool floats) const {
  if (!options_.sizes.empty()) return options_.sizes;
  if (set == "large") return {1u << 28};
  if (set == "small") return {1u << 16, 1u << 18, 1u << 20, 1u << 21, 1u << 22, 1u << 23};
  if (set == "shapes") return {1u << 24, 1u << 26, 1u << 28};
  if (set == "variants") return {1u << 28};
  if (set == "stress")
    return {1, 12289, 1u << 16, 1u << 20, (1u << 24) + 4097, 1u << 24, 1u << 26, 1u << 28};
  std::vector<unsigned> sizes{1u << 16, 1u << 20, 1u << 24, 1u << 26, 1u << 28};
  if (!floats) sizes.push_back(1u << 30);
  return sizes;
}

template <typename T>
void Bench::run_type(const std::string& set) {
  if (set == "driver") {
    test_driver<T>();
    return;
  }
  if constexpr (sizeof(T) == 4) {
    for (unsigned n : sizes(set, std::is_floating_point_v<T>)) {
      if (set == "stress") {
        stress<T>(n);
      } else {
        measure<T>(set, n);
      }
    }
  }
}

int Bench::run() {
  std::printf("%-8s %-28s %-8s %11s %11s %9s %8s %7s %7s  %s\n", "set", "name", "type", "N", "us",
              "spread", "GB/s", "of copy", "of CUB", "wrong");
  for (const std::string& set : options_.sets) {
    for (const std::string& type : options_.types) {
      if (type == "float32") run_type<float>(set);
      if (type == "int32") run_type<int>(set);
    }
    if (set == "driver") run_type<long long>(set);
  }
  if (!options_.json.empty()) write_json();
  return std::any_of(results_.begin(), results_.end(), [](const Result& r) { return r.wrong != 0; })
             ? 1
             : 0;
}

void Bench::keep(Result result) {
  std::printf("%-8s %-28s %-8s %11u ", result.set.c_str(), result.name.c_str(), result.type.c_str(),
              result.n);
  if (result.microseconds > 0) {
    std::printf("%11.2f %9.2f %8.0f %6.1f%% %7.3f  ", result.microseconds, result.spread,
                8e-3 * result.n / result.microseconds, 100 * result.of_copy, result.of_cub);
  } else {
    std::printf("%11s %9s %8s %7s %7s  ", "-", "-", "-", "-", "-");
  }
  std::printf("%llu (%u runs)\n", result.wrong, result.runs);
  std::fflush(stdout);
  results_.push_back(std::move(result));
}

void Bench::write_json() const {
  std::FILE* const out = std::fopen(options_.json.c_str(), "w");
  if (out == nullptr) {
    std::fprintf(stderr, "cannot write %s\n", options_.json.c_str());
    std::exit(2);
  }
  cudaDeviceProp properties{};
  int driver = 0;
  int runtime = 0;
  must(cudaGetDeviceProperties(&properties, 0));
  must(cudaDriverGetVersion(&driver));
  must(cudaRuntimeGetVersion(&runtime));
  std::fprintf(out, "{\n  \"schema\": \"scanlab/bench/v1\",\n  \"device\": {\"name\": \"%s\", ",
               properties.name);
  std::fprintf(out, "\"multiprocessors\": %d, \"l2_bytes\": %d, ", properties.multiProcessorCount,
               properties.l2CacheSize);
  std::fprintf(
      out,
      "\"compute_capability\": \"%d.%d\", \"cuda_driver\": \"%d.%d\", \"toolkit\": \"%d.%d\", ",
      properties.major, properties.minor, driver / 1000, driver % 1000 / 10, runtime / 1000,
      runtime % 1000 / 10);
  std::fprintf(out, "\"cub\": %d},\n  \"samples\": %u,\n  \"results\": [", CUB_VERSION,
               options_.samples);
  const char* separator = "\n";
  for (const Result& r : results_) {
    const bool timed = r.microseconds > 0;
    std::fprintf(out, "%s    {\"name\": \"gpu.%s.%s.%s.%u\", ", separator, r.set.c_str(),
                 r.name.c_str(), r.type.c_str(), r.n);
    std::fprintf(out, "\"value\": %.6g, \"unit\": \"%s\", \"spread\": %.3g, ",
                 timed ? r.microseconds : static_cast<double>(r.wrong), timed ? "us" : "wrong",
                 r.spread);
    std::fprintf(out, "\"compared_to\": %s, \"ratio\": ", timed ? "\"cub\"" : "null");
    std::fprintf(out, timed ? "%.4f, " : "null, ", r.of_cub);
    std::fprintf(out, "\"set\": \"%s\", \"candidate\": \"%s\", \"type\": \"%s\", \"n\": %u, ",
                 r.set.c_str(), r.name.c_str(), r.type.c_str(), r.n);
    if (timed) {
      std::fprintf(out, "\"gb_per_s\": %.1f, \"of_copy\": %.4f, \"of_cub\": %.4f, ",
                   8e-3 * r.n / r.microseconds, r.of_copy, r.of_cub);
    }
    std::fprintf(out, "\"wrong\": %llu, \"verified_runs\": %u}", r.wrong, r.runs);
    separator = ",\n";
  }
  std::fprintf(out, "\n  ]\n}\n");
  std::fclose(out);
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

[[noreturn]] void usage(const char* problem) {
  std::fprintf(
      stderr,
      "scanlab_scan_bench: %s\n"
      "usage: scanlab_scan_bench [--set labs|large|small|shapes|variants|stress|driver]...\n"
      "  [--sizes N,N,...] [--types float32,int32] [--samples 21] [--runs 200] [--json PATH]\n",
      problem);
  std::exit(2);
}

unsigned number(const std::string& text) {
  char* end = nullptr;
  const unsigned long value = std::strtoul(text.c_str(), &end, 10);
  if (end == text.c_str() || *end != 0 || value == 0 || value > 0xffffffffu)
    usage("a number is wanted");
  return static_cast<unsigned>(value);
}

Options parse(int count, char** words) {
  const std::vector<std::string> known{"labs",     "large",  "small", "shapes",
                                       "variants", "stress", "driver"};
  Options options;
  for (int k = 1; k < count; k += 2) {
    const std::string option = words[k];
    if (k + 1 == count) usage("an option lacks its value");
    const std::string value = words[k + 1];
    if (option == "--set") {
      if (std::find(known.begin(), known.end(), value) == known.end()) usage("no such set");
      options.sets.push_back(value);
    } else if (option == "--sizes") {
      for (const std::string& part : split(value)) options.sizes.push_back(number(part));
    } else if (option == "--types") {
      options.types = split(value);
    } else if (option == "--samples") {
      options.samples = number(value);
    } else if (option == "--runs") {
      options.stress_runs = number(value);
    } else if (option == "--json") {
      options.json = value;
    } else {
      usage("unknown option");
    }
  }
  if (options.sets.empty()) options.sets = {"driver", "labs", "stress"};
  return options;
}

}  // namespace
}  // namespace scanlab::bench

int main(int count, char** words) {
  using namespace scanlab::bench;
  const Options options = parse(count, words);
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "scanlab_scan_bench: there is no CUDA device here\n");
    return 3;
  }
  Bench bench(options);
  return bench.run();
}
