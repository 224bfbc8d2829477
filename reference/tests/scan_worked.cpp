// Every worked example in datasets/worked against the algorithms: each state, each operation.
// The data come from an implementation of its own (datasets/worked/generate.py).
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "scan/cost_model.hpp"
#include "scan/elements.hpp"
#include "scan/plan.hpp"
#include "scan/sequential.hpp"

using namespace scanlab;
using nlohmann::json;

namespace {

std::filesystem::path worked_dir() {
#ifdef SCANLAB_SOURCE_DIR
  return std::filesystem::path(SCANLAB_SOURCE_DIR) / "datasets/worked";
#else
  return std::filesystem::path(__FILE__).parent_path() / "../../datasets/worked";
#endif
}

json load(const std::string& name) {
  std::ifstream file(worked_dir() / name);
  REQUIRE_MESSAGE(file.good(), name);
  return json::parse(file);
}

scan::SectionScan kind_of(const json& name) {
  return name == "brent_kung" ? scan::SectionScan::brent_kung : scan::SectionScan::kogge_stone;
}

scan::Plan plan_for(const json& example) {
  const std::string algorithm = example.at("algorithm");
  const json& p = example.at("parameters");
  const std::size_t n = example.at("input").size();
  if (algorithm == "sequential") return scan::sequential_plan(n);
  if (algorithm == "naive") return scan::naive_plan(n);
  if (algorithm == "kogge_stone") return scan::kogge_stone_plan(n);
  if (algorithm == "double_buffered") return scan::double_buffered_plan(n);
  if (algorithm == "brent_kung") return scan::brent_kung_plan(n);
  if (algorithm == "coarsened")
    return scan::coarsened_plan(p.at("threads"), p.at("factor"), kind_of(p.at("phase_2")));
  if (algorithm == "hierarchical")
    return scan::hierarchical_plan(n, p.at("section"), kind_of(p.at("kind")));
  REQUIRE(algorithm == "domino");
  return scan::domino_plan(n, p.at("section"), kind_of(p.at("kind")));
}

template <typename T>
T element_from(const json& value) {
  if constexpr (std::is_same_v<T, Interval>)
    return make_run<Interval>(value.at(0), value.at(1));
  else
    return value.get<T>();
}

template <typename T>
std::vector<T> elements_from(const json& values) {
  std::vector<T> elements;
  for (const json& value : values) elements.push_back(element_from<T>(value));
  return elements;
}

using Operation = std::array<std::uint32_t, 3>;

std::multiset<Operation> operations_of(const scan::Step& step) {
  std::multiset<Operation> operations;
  for (const scan::Addition& add : step.additions)
    operations.insert({add.left, add.right, add.target});
  return operations;
}

template <typename T>
void check_arrays(const json& arrays, const json& step, const std::vector<T>& cells) {
  for (const json& array : arrays) {
    const auto first = cells.begin() + array.at("first").get<std::ptrdiff_t>();
    const auto size = array.at("size").get<std::ptrdiff_t>();
    const std::string name = array.at("name");
    CAPTURE(name);
    CHECK((elements_from<T>(step.at(name)) == std::vector<T>(first, first + size)));
  }
}

template <typename T>
void check_example(const json& example) {
  const scan::Plan plan = plan_for(example);
  const auto loaded = elements_from<T>(example.at("loaded"));
  const auto states = scan::run_plan_steps(plan, loaded);
  REQUIRE(states.size() == example.at("steps").size());
  for (std::size_t k = 0; k < states.size(); ++k) {
    CAPTURE(k);
    const json& step = example.at("steps").at(k);
    CHECK(states[k].phase == step.at("phase").get<std::string>());
    CHECK(states[k].stride == step.at("stride").get<std::uint32_t>());
    const auto operations = step.at("operations").get<std::multiset<Operation>>();
    CHECK((operations_of(plan.steps[k]) == operations));
    check_arrays(example.at("arrays"), step, states[k].values);
  }
  CHECK((scan::run_plan(plan, loaded) == elements_from<T>(example.at("output"))));
}

void check_output_is_the_scan(const json& example) {
  const bool exclusive = example.at("parameters").value("kind", "") == "exclusive";
  const auto input = example.at("input").get<std::vector<int>>();
  std::vector<int> expected(input.size());
  scan::sequential_scan<int>(exclusive ? scan::Kind::exclusive : scan::Kind::inclusive, input,
                             expected);
  CHECK(example.at("output").get<std::vector<int>>() == expected);
}

}  // namespace

TEST_SUITE("worked examples") {
  TEST_CASE("every file: each step, each operation, each value") {
    std::size_t examples = 0;
    for (const auto& entry : std::filesystem::directory_iterator(worked_dir())) {
      if (entry.path().extension() != ".json") continue;
      const json example = load(entry.path().filename().string());
      if (example.at("schema") != "scanlab/worked/v1") continue;
      ++examples;
      const std::string name = example.at("name");
      CAPTURE(name);
      if (example.at("parameters").value("elements", "") == "intervals") {
        check_example<Interval>(example);
      } else {
        check_example<int>(example);
        check_output_is_the_scan(example);
      }
    }
    CHECK(examples >= 14);
  }

  TEST_CASE("the ends between the phases of the coarsened scan") {
    for (const char* name : {"coarsened_4x4_kogge_stone.json", "coarsened_4x4_brent_kung.json"}) {
      const json example = load(name);
      CHECK(example.at("ends_after_phase_1") == json{7, 7, 6, 11});
      CHECK(example.at("ends_after_phase_2") == json{7, 14, 20, 31});
    }
  }

  TEST_CASE("the race: in place, without a barrier between read and write") {
    const json race = load("kogge_stone_race_8.json");
    for (const bool ascending : {true, false}) {
      auto values = race.at("input").get<std::vector<int>>();
      for (const json& step :
           race.at("orders").at(ascending ? "ascending" : "descending").at("steps")) {
        const auto stride = step.at("stride").get<std::size_t>();
        for (std::size_t k = 0; k < values.size(); ++k) {
          const std::size_t i = ascending ? k : values.size() - 1 - k;
          if (i >= stride) values[i] = values[i - stride] + values[i];
        }
        CHECK(step.at("values").get<std::vector<int>>() == values);
      }
      const bool right = values == std::vector<int>{4, 10, 17, 18, 20, 28, 33, 35};
      CHECK(right == !ascending);
    }
  }

  TEST_CASE("the figure table") {
    const json table = load("figures.json").at("figures");
    const auto figures = cost::figures();
    REQUIRE(table.size() == figures.size());
    for (std::size_t i = 0; i < figures.size(); ++i) {
      CAPTURE(figures[i].id);
      CHECK(table[i].at("id").get<std::string>() == figures[i].id);
      CHECK(table[i].at("textbook").get<double>() == doctest::Approx(figures[i].textbook));
      CHECK(table[i].at("exact").get<double>() == doctest::Approx(figures[i].exact));
      CHECK(table[i].at("formula").get<std::string>() == figures[i].formula);
    }
  }
}
