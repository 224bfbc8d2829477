// The result file.
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "harness/check.hpp"
#include "harness/json_parts.hpp"

namespace scanlab::harness {
namespace {

using json = nlohmann::ordered_json;

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "pass";
    case Verdict::fail: return "fail";
    case Verdict::skip: return "skip";
    case Verdict::error: break;
  }
  return "error";
}

json datum_json(const Datum& datum) {
  switch (datum.kind) {
    case Datum::Kind::nothing: return nullptr;
    case Datum::Kind::number: return datum.number;
    case Datum::Kind::text: return datum.texts.front();
    case Datum::Kind::list: break;
  }
  return datum.texts;
}

json check_json(const Check& check) {
  json findings = json::array(), measured = json::object();
  for (const machine::Finding& finding : check.findings) findings.push_back(to_json(finding));
  for (const auto& [name, value] : check.measured) measured[name] = datum_json(value);
  json made = {{"name", check.name},
          {"verdict", to_string(check.verdict)},
          {"points", 0},
          {"max_points", 0},
          {"requires", check.requirements},
          {"findings", findings},
          {"expected", datum_json(check.expected)},
          {"actual", datum_json(check.actual)},
          {"measured", measured}};
  if (!check.network.empty()) made["network"] = json::parse(check.network);
  return made;
}

}  // namespace

std::string to_json(const ResultHead& head, const std::vector<Check>& checks, const GraderError* error) {
  json result = {{"schema", "scanlab/result/v1"},
                 {"lab", head.lab},
                 {"file", head.file},
                 {"sha256", head.sha256},
                 {"backend", "cpu"},
                 {"seed", head.seed},
                 {"sandbox", head.sandbox},
                 {"score", 0},
                 {"max_score", 0},
                 {"checks", json::array()},
                 {"error", nullptr}};
  for (const Check& check : checks) result["checks"].push_back(check_json(check));
  if (error != nullptr) result["error"] = {{"kind", error->kind}, {"message", error->message}};
  return result.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

void write_file(const std::string& path, const std::string& text) {
  const std::string half = path + ".part" + std::to_string(getpid());
  std::ofstream file(half, std::ios::binary);
  file << text;
  file.close();
  if (!file || std::rename(half.c_str(), path.c_str()) != 0)
    throw std::runtime_error("cannot write " + path);
}

}  // namespace scanlab::harness
