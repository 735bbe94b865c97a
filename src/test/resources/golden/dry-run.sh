# about
# What `eagle3 extract` does on root@10.1.230.174. Nothing was connected to. Paste all of it into a POSIX
# shell there, or give it to sh: a step that refuses or fails ends it. Secrets stand as <redacted>.

# check-host
# Step 1 of 7: what the host is and has; changes nothing. eagle3 judges the answer
sh -s -- python /root/ml-env/bin/python3 script /root/eagle3-train/02_extract_hidden_states.py model /shared/kimi-k2.5-int4 data /root/eagle3-train/data_test/prepared/tokenized_data.jsonl output /root/eagle3-train/data_test/hidden_states log /root/eagle3-train/extract_debug.log shm /dev/shm cuda-home /usr/local/cuda-12.8 <<'EAGLE3_END' &&
eagle3_step() (
<<probe-host.sh>>
<<probe-machine.sh>>
)
eagle3_step "$@" </dev/null
EAGLE3_END

# check-files
# Step 2 of 7: what script, packages, model and data are; changes nothing. eagle3 judges the answer
sh -s -- /root/ml-env/bin/python3 33 '' job model data -- script /root/eagle3-train/02_extract_hidden_states.py package sglang package specforge package speculators package torch package transformers package vllm source 'reply-unwrapped.0	speculators/data_generation/vllm_hidden_states_generator.py' pattern '\A(?!.*"_get_captured_states".*"_get_captured_states").*?(?:^([ \t]*)(\w+) = )?[\w.]{1,50}\.collective_rpc\(\s*"_get_captured_states",[^)]{0,200}unique_reply_rank=[^)]{0,100}\)(?:(?=\s)(?:(?!\b\2\s*:?=[^=}]|\b(?:return|continue|break)\b).){0,600}?\n\1\w+ = \2(?=\[0\](?!.{0,1500}?(?:=|\b(?:else|return|in|or|and))\s*[(\[]?\s*\2\b(?!\[0\]))))?(?P<at>\[0\])(?![^\n#]*\b(?:if|or|and)\b)' source 'reply-unwrapped.1	vllm/v1/executor/multiproc_executor.py' pattern '(?P<at>return (\w+)\[0\] if output_rank is not None else \2)' source 'goes-on-after-an-error.0	{script}' pattern '\btry:(?:(?!\bexcept\b).){0,2000}?\.generate\((?:(?!\bexcept\b).){0,1000}?(?P<at>\bexcept\b[^\n]*:)(?:(?!\n\S).){0,400}?\bcontinue\b' source 'tokenizer-asks.0	speculators/data_generation/vllm_hidden_states_generator.py' pattern '(?P<at>AutoTokenizer\.from_pretrained\(model_path\))' source 'kimi-inner-model.0	speculators/data_generation/custom_worker.py' pattern '(?P<at>\w+\.get_language_model\(\)\.model\b)' source 'kimi-inner-model.1	vllm/model_executor/models/kimi_k25.py' pattern '(?P<at>self\.language_model = DeepseekV2Model\()' source 'inner-model-unknown.0	speculators/data_generation/custom_worker.py' pattern '\A(?!.*get_language_model).*?(?P<at>\w+ = model\.model\b)' source 'chunks-lost.0	vllm/distributed/kv_transfer/kv_connector/v1/example_hidden_states_connector.py' pattern '(?P<at>class ExampleHiddenStatesConnector\b)(?!.*def get_finished)' source 'hybrid-zeros.0	vllm/distributed/kv_transfer/kv_connector/v1/example_hidden_states_connector.py' pattern '(?P<at>self\._block_size = (?:\w+\.)*cache_config\.block_size)(?=.*def get_finished)' source 'latent-attention.0	vllm/distributed/kv_transfer/kv_connector/v1/example_hidden_states_connector.py' pattern '(?P<at>uniquely identify the extract-hidden-states)' source 'last-layer-dropped.0	vllm/model_executor/models/deepseek_v2.py' pattern '(?P<at>if idx in self\.aux_hidden_state_layers:)(?!.* in self\.aux_hidden_state_layers)' source 'sglang-load-model.0	{script}' pattern '\A(?!.*(?:\bdef load_model\(|\bload_model\([^()]{0,200},[^(),]{0,100},[^(),]{0,100},\s*[\w.=]+\s*,?\s*\))).*?(?P<at>\bload_model\([\w.]+, [\w.]+, tp_rank\))' source 'sglang-load-model.1	sglang/bench_one_batch.py' pattern '(?P<at>def load_model\(\s*\w+(?:: \w+)?,\s*\w+(?:: \w+)?,\s*gpu_id\b)' source 'nan-ends-it.0	{script}' pattern '(?P<at>expected to be non-nan)' source 'batches-of-sglang.0	{script}' pattern '(?P<at>return_hidden_states\s*=\s*True)' model /shared/kimi-k2.5-int4 model-seconds 15 data /root/eagle3-train/data_test/prepared/tokenized_data.jsonl most-tokens 2048 data-seconds 3 <<'EAGLE3_END' &&
eagle3_step() (
probe_job_py() {
cat <<'EAGLE3_PYTHON'
<<probe-job.py>>
EAGLE3_PYTHON
}
probe_model_py() {
cat <<'EAGLE3_PYTHON'
<<probe-model.py>>
EAGLE3_PYTHON
}
probe_data_py() {
cat <<'EAGLE3_PYTHON'
<<probe-data.py>>
EAGLE3_PYTHON
}
<<probe-files.sh>>
)
eagle3_step "$@" </dev/null
EAGLE3_END

# look-output
# Step 3 of 7: refuse while a process that no run of eagle3 started writes to the output folder
sh -s -- /root/eagle3-train/data_test/hidden_states --output-dir <<'EAGLE3_END' &&
eagle3_step() (
<<run-processes.sh>>
<<tell-processes.sh>>
<<look-output.sh>>
)
eagle3_step "$@" </dev/null
EAGLE3_END

# lock-output
# Step 4 of 7: lock the output folder, so that no second run writes into it
sh -s -- '' 20261129-120000-1a2b /root/eagle3-train/data_test/hidden_states '' <<'EAGLE3_END' && {
eagle3_step() (
<<lock-output.sh>>
)
eagle3_step "$@" </dev/null
EAGLE3_END

# clear-gpus
# Step 5 of 7: end what runs that are over left on the GPUs; refuse when others hold them
sh -s -- safe '' 8 '' found <<'EAGLE3_END' &&
eagle3_step() (
<<run-end.sh>>
<<look-gpus.sh>>
<<clear-gpus.sh>>
)
eagle3_step "$@" </dev/null
EAGLE3_END

# set-aside
# Step 6 of 7: rename previous output, so that the folder is empty
sh -s -- 20261129-120000-1a2b /root/eagle3-train/data_test/hidden_states '' '' do /shared/kimi-k2.5-int4 /root/eagle3-train/data_test/prepared/tokenized_data.jsonl /root/eagle3-train/02_extract_hidden_states.py /root/ml-env/bin/python3 <<'EAGLE3_END' &&
eagle3_step() (
<<output-notes.sh>>
<<set-aside.sh>>
)
eagle3_step "$@" </dev/null
EAGLE3_END

# launch
# Step 7 of 7: launch the job, detached from this shell
sh -s -- '' 20261129-120000-1a2b /root/eagle3-train/extract_debug.log '{
  "v" : 1,
  "run" : "20261129-120000-1a2b",
  "host" : "root@10.1.230.174",
  "extractor" : "speculators-0.4",
  "python" : "/root/ml-env/bin/python3",
  "script" : "/root/eagle3-train/02_extract_hidden_states.py",
  "script-arguments" : [ "--model-path", "/shared/kimi-k2.5-int4", "--prepared-data", "/root/eagle3-train/data_test/prepared/tokenized_data.jsonl", "--output-dir", "/root/eagle3-train/data_test/hidden_states", "--batch-size", "2", "--max-seq-len", "2048", "--tp-size", "8", "--gpu-memory-utilization", "0.80", "--layer-ids", "2", "30", "58", "60" ],
  "environment" : { },
  "environment-by-name" : [ ],
  "setup" : [ ],
  "wrap" : [ ],
  "cuda-home" : "/usr/local/cuda-12.8",
  "model-path" : "/shared/kimi-k2.5-int4",
  "prepared-data" : "/root/eagle3-train/data_test/prepared/tokenized_data.jsonl",
  "output-dir" : "/root/eagle3-train/data_test/hidden_states",
  "log-file" : "/root/eagle3-train/extract_debug.log",
  "layers" : [ 2, 30, 58, 60 ],
  "tp-size" : 8,
  "batch-size" : 2,
  "max-seq-len" : 2048,
  "gpus" : [ ],
  "clear-gpus" : "safe",
  "previous-output" : "set-aside",
  "state-dir" : null,
  "schema" : "speculators-list",
  "on-bad" : "auto"
}
' '<<job.sh>>

eagle3_environment() {
  export PATH=/root/ml-env/bin"${PATH:+:$PATH}"
  export PYTHONUNBUFFERED=1
  export PYTHONUTF8=1
  export COLUMNS=300
  export CUDA_HOME=/usr/local/cuda-12.8
}

eagle3_guard_python=/root/ml-env/bin/python3
eagle3_job 20261129-120000-1a2b 0 \
  /root/ml-env/bin/python3 \
  /root/eagle3-train/02_extract_hidden_states.py \
  --model-path \
  /shared/kimi-k2.5-int4 \
  --prepared-data \
  /root/eagle3-train/data_test/prepared/tokenized_data.jsonl \
  --output-dir \
  /root/eagle3-train/data_test/hidden_states \
  --batch-size \
  2 \
  --max-seq-len \
  2048 \
  --tp-size \
  8 \
  --gpu-memory-utilization \
  0.80 \
  --layer-ids \
  2 \
  30 \
  58 \
  60
' '<<guard.py>>
' '<<run-end.sh>>
<<run-processes.sh>>
<<stop-run.sh>>
' <<'EAGLE3_END' || {
eagle3_step() (
<<launch.sh>>
)
eagle3_step "$@" </dev/null
EAGLE3_END

# give-back
# Only when a step after the lock refused or failed: put previous output back, if it was moved, and give
# the lock back
eagle3_code=$?
sh -s -- 20261129-120000-1a2b /root/eagle3-train/data_test/hidden_states over '' '' '' '' <<'EAGLE3_END' >/dev/null
eagle3_step() (
<<output-notes.sh>>
<<undo.sh>>
)
eagle3_step "$@" </dev/null
EAGLE3_END
sh -s -- '' 20261129-120000-1a2b <<'EAGLE3_END'
eagle3_step() (
<<unlock-output.sh>>
)
eagle3_step "$@" </dev/null
EAGLE3_END
(exit "$eagle3_code")
}
}

# follow
# Then, here: follow its log (Ctrl-C leaves the run alive)
# tail -n +1 -F /root/eagle3-train/extract_debug.log
# or, from where eagle3 is:
# eagle3 tail-log 20261129-120000-1a2b --host root@10.1.230.174
# eagle3 verify-shapes 20261129-120000-1a2b --host root@10.1.230.174

