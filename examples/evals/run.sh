#!/usr/bin/env bash
# Asks an agent each question of questions.jsonl and prints one result per line.
# $1: the agent's URL; without it, the one that `langgraph dev` serves. REPEATS: how often each question is asked.
set -euo pipefail
node "$(dirname "$0")/ask.mjs" "${1:-http://127.0.0.1:2024}" "${REPEATS:-1}"
