#!/usr/bin/env bash
# Builds scanlab_scan_bench, verifies and times on this machine's GPU, and leaves everything in a folder.
#
#   reference/device/run_on_gpu.sh OUT [final|tune|SET...]
#
# final (the default): driver, labs, stress, and the steps of handout 07b; OUT/bench.json is what goes to
# datasets/performance/. tune: shapes and variants too. SET...: these sets of scan_bench.cu alone.
# SCANLAB_SCAN_BENCH=PATH takes a program that is built already.
set -u -o pipefail
cd "$(dirname "$0")/../.."

out=${1:?usage: run_on_gpu.sh OUT [final|tune|SET...]}
shift
mkdir -p "$out"
sets=("${@:-final}")
case ${sets[0]} in
  final) sets=(driver labs stress large small variants) ;;
  tune) sets=(driver labs stress large small variants shapes) ;;
esac

nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,clocks.mem,temperature.gpu,power.draw \
  --format=csv | tee "$out/gpu.txt"
bench=${SCANLAB_SCAN_BENCH:-}
if [[ -z $bench ]]; then
  bench=build/scanlab_scan_bench
  mkdir -p build
  nvcc -std=c++17 -O3 -I. -gencode arch=compute_90,code=sm_90 -Xcompiler -Wall,-Wextra -o "$bench" \
    reference/device/bench/scan_bench.cu || exit 3
fi

arguments=()
for set in "${sets[@]}"; do arguments+=(--set "$set"); done
"$bench" "${arguments[@]}" --json "$out/bench.json" 2>&1 | tee "$out/bench.txt"
status=$?

# The figures name the driver too, which the runtime does not tell.
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
sed -i "s/\"device\": {/\"device\": {\"driver\": \"$driver\", /" "$out/bench.json"

# The sanitizer's tools, on small sizes: they slow everything down. Each form of look_back_fast.cu is run.
if [[ ${SANITIZE:-yes} == yes ]] && command -v compute-sanitizer >/dev/null; then
  for tool in memcheck initcheck racecheck synccheck; do
    echo "== compute-sanitizer $tool"
    timeout 60 compute-sanitizer --tool $tool --error-exitcode 9 \
      "$bench" --set small --set shapes --sizes 65536,300001 --samples 1 --types int32 \
      >"$out/$tool.txt" 2>&1
    verdict=$?
    tail -n 1 "$out/$tool.txt"
    [[ $verdict == 0 ]] || { echo "$tool ended with $verdict"; status=1; }
  done
fi
nvidia-smi --query-gpu=clocks.sm,clocks.mem,temperature.gpu,power.draw --format=csv,noheader
exit "$status"
