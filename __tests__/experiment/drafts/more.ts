import { csv, doc, first, lines, many, type Shape } from "./shape.ts";
/** Shapes that were written down after the first hundred, against a draft that read those. */
export const MORE: readonly Shape[] = [
  doc(
    "metadata+results w/ nested eval",
    {
      metadata: { model: "x", timestamp: "t", total: 3 },
      results: many(3, (i) => ({
        test_id: `T${i}`,
        category: "a",
        input: { query: `q${i}` },
        expected: { intent: "x" },
        actual: { intent: "y" },
        evaluation: { intent_match: i < 2, score: 0.5, latency_ms: 120 },
      })),
    },
    { rows: 3, examples: 3, metrics: { intent_match: 2 / 3, score: 0.5 } },
  ),
  lines(
    "245 pairs",
    many(240, (i) => ({
      query: `q${i % 20}`,
      retrieval_mode: ["bm25", "dense", "hybrid"][Math.floor(i / 20) % 3],
      embedder: ["e1", "e2", "e3", "e4"][Math.floor(i / 60)],
      recall: 0.5,
    })),
    { rows: 240, examples: 240, metrics: { recall: 0.5 } },
  ),
  csv(
    "yes no text",
    `Question ID,Question Text,Model Response,Is Accurate?,Hallucinated?,Score
    1,a,x,Yes,No,80%
    2,b,y,No,N/A,60%`,
    { rows: 2, examples: 2, metrics: { "Is Accurate?": 0.5, "Hallucinated?": 0, Score: 0.7 } },
  ),
  doc(
    "scenarios as object with runs",
    {
      scenarios: {
        refund: {
          runs: [
            { passed: true, turns: 4 },
            { passed: false, turns: 6 },
          ],
        },
        cancel: {
          runs: [
            { passed: true, turns: 2 },
            { passed: true, turns: 3 },
          ],
        },
      },
    },
    { rows: 4, examples: 2, metrics: { passed: 0.75 } },
  ),
  doc(
    "benchmark per model per task",
    {
      results: [
        {
          model: "a",
          tasks: [
            { task: "t1", score: 1 },
            { task: "t2", score: 0 },
          ],
        },
        {
          model: "b",
          tasks: [
            { task: "t1", score: 1 },
            { task: "t2", score: 1 },
          ],
        },
      ],
    },
    { rows: 4, examples: 4, metrics: { score: 0.75 } },
  ),
  lines(
    "sample with llm judge fields",
    many(4, (i) => ({
      sample_id: i,
      prompt: `p${i}`,
      completion: "c",
      judge_score: 4,
      judge_reasoning: "because",
      judge_model: "gpt",
      model: "m",
      elapsed_ms: 500,
    })),
    { rows: 4, examples: 4, metrics: { judge_score: 4 } },
  ),
  doc(
    "tests by file",
    {
      files: [
        {
          file: "a.yml",
          tests: [
            { name: "one", ok: true, ms: 5 },
            { name: "two", ok: false, ms: 6 },
          ],
        },
        { file: "b.yml", tests: [{ name: "one", ok: true, ms: 4 }] },
      ],
    },
    { rows: 3, examples: 3, metrics: { ok: 2 / 3 } },
  ),
  doc(
    "swe-bench like by id w/ report nested",
    Object.fromEntries(
      many(3, (i) => [
        `repo__x-${i}`,
        { resolved: i < 1, report: { f2p: 1, p2p: 2 }, model_patch: "diff" },
      ]),
    ),
    { rows: 3, examples: 3, metrics: { resolved: 1 / 3 } },
    /./,
  ),
  csv(
    "crashed rows csv",
    `task,status,score,error
    a,ok,1,
    b,ok,0.5,
    c,error,,ConnectionError: boom`,
    { rows: 3, examples: 3, metrics: { score: 0.75 }, errors: 1 },
  ),
  lines(
    "turns",
    many(2, (i) => ({
      id: `d${i}`,
      turns: [
        { role: "user", content: `u${i}` },
        { role: "assistant", content: "a" },
      ],
      ratings: { empathy: 4, accuracy: 5 },
    })),
    { rows: 2, examples: 2, metrics: { empathy: 4, accuracy: 5 } },
  ),
  doc(
    "langchain style",
    {
      dataset: "d",
      runs: many(3, (i) => ({
        run_id: `r${i}`,
        example_id: `e${i}`,
        inputs: { question: `q${i}` },
        outputs: { output: "o" },
        feedback: { correctness: first(2, i), helpfulness: 1 },
      })),
    },
    { rows: 3, examples: 3, metrics: { correctness: 2 / 3, helpfulness: 1 } },
  ),
  csv(
    "with rank & arm version",
    `version,ticket,predicted_category,true_category,correct
    v1,a,x,x,1
    v1,b,y,x,0
    v2,a,x,x,1
    v2,b,x,x,1`,
    { rows: 4, examples: 4, metrics: { correct: 0.75 } },
  ),
  doc(
    "evaluations list per example key/score",
    {
      examples: many(3, (i) => ({
        inputs: { text: `t${i}` },
        evaluations: [{ key: "a", score: first(2, i), comment: "c" }],
      })),
    },
    { rows: 3, examples: 3, metrics: { a: 2 / 3 } },
  ),
  lines(
    "pass@k",
    many(3, (i) => ({
      problem_id: `p${i}`,
      "pass@1": first(1, i),
      "pass@5": 1,
      n_samples: 5,
      n_correct: 3,
    })),
    { rows: 3, examples: 3, metrics: { "pass@1": 1 / 3, "pass@5": 1 } },
  ),
  doc(
    "groups both with results",
    {
      baseline: { config: { k: 5 }, results: many(3, (i) => ({ q: `q${i}`, recall: 0.5 })) },
      reranked: { config: { k: 5 }, results: many(3, (i) => ({ q: `q${i}`, recall: 1 })) },
    },
    { rows: 6, examples: 6, metrics: { recall: 0.75 } },
  ),
  lines(
    "agent steps nested",
    many(3, (i) => ({
      task: `do ${i}`,
      steps: [
        { tool: "x", success: true },
        { tool: "y", success: false },
      ],
      final: { success: i < 2, answer: "a" },
    })),
    { rows: 3, examples: 3, metrics: { success: 2 / 3 } },
  ),
  csv(
    "dashed",
    `prompt_id,prompt,toxicity,is_toxic,response_length,perplexity
    1,a,0.2,False,100,12.5
    2,b,0.8,True,50,20.5`,
    { rows: 2, examples: 2, metrics: { toxicity: 0.5, is_toxic: 0.5, perplexity: 16.5 } },
  ),
  doc(
    "root array w/ details",
    many(3, (i) => ({
      test_case: `tc${i}`,
      details: { rouge1: 0.5, rougeL: 0.25, bert_score: 0.75, num_tokens: 5 },
      summary: "s",
    })),
    { rows: 3, examples: 3, metrics: { rouge1: 0.5, rougeL: 0.25, bert_score: 0.75 } },
  ),
  lines(
    "extraction fields",
    many(2, (i) => ({
      file_name: `f${i}.pdf`,
      invoice_total_correct: true,
      vendor_correct: i < 1,
      date_correct: true,
      overall_accuracy: 0.9,
    })),
    {
      rows: 2,
      examples: 2,
      metrics: {
        invoice_total_correct: 1,
        vendor_correct: 0.5,
        date_correct: 1,
        overall_accuracy: 0.9,
      },
    },
  ),
  doc(
    "passed failed lists",
    {
      passed: many(3, (i) => ({ id: `p${i}`, output: "o" })),
      failed: [{ id: "f0", output: "x", reason: "r" }],
    },
    { rows: 4, examples: 4, metrics: { pass: 0.75 } },
  ),
  csv(
    "speech",
    `audio_file,reference_text,hypothesis,wer,cer
    a.wav,x,y,0.5,0.25
    b.wav,x,x,0,0`,
    { rows: 2, examples: 2, metrics: { wer: 0.25, cer: 0.125 } },
  ),
  lines(
    "retr with list metrics",
    many(2, (i) => ({
      question: `q${i}`,
      contexts: ["a"],
      metrics: { context_precision: 0.5, context_recall: 1 },
      n_contexts: 3,
    })),
    { rows: 2, examples: 2, metrics: { context_precision: 0.5, context_recall: 1 } },
  ),
  doc(
    "history of runs",
    { history: many(3, (i) => ({ date: `2026-01-0${i + 1}`, accuracy: 0.8 })) },
    undefined,
    /averages|date|metric|history|example/,
  ),
  csv(
    "an experiment of Braintrust as its page exports it",
    `id,input,output,expected,scores.Factuality,metrics.start,metrics.end,metrics.prompt_tokens
    x1,a,b,b,1,1763.1,1764.9,100
    x2,c,d,e,0,1763.2,1764.1,90
    x3,e,d,e,0.5,1763.3,1764.2,95`,
    { rows: 3, examples: 3, metrics: { Factuality: 0.5 } },
    /numbers not read: metrics\.start, metrics\.end/,
  ),
  doc(
    "a report of pytest-json-report",
    {
      duration: 3.2,
      summary: { passed: 2, failed: 1, total: 3 },
      tests: many(3, (i) => ({
        nodeid: `tests/test_a.py::test_q[${i}]`,
        lineno: 3,
        outcome: i < 2 ? "passed" : "failed",
        setup: { duration: 0.001, outcome: "passed" },
        call: { duration: 0.2, outcome: i < 2 ? "passed" : "failed" },
        teardown: { duration: 0.001, outcome: "passed" },
      })),
    },
    { rows: 3, examples: 3, metrics: { outcome: 2 / 3 } },
    /duration_s: call\.duration/,
  ),
  doc(
    "evaluators by name under each test case, as gh models eval writes them",
    {
      name: "Summarizer",
      testResults: many(3, (i) => ({
        testCase: { input: `q${i}`, expected: "b" },
        modelResponse: "a",
        evaluationResults: [
          { evaluatorName: "contains", score: i < 2 ? 1 : 0, passed: i < 2, details: "x" },
          { evaluatorName: "similarity", score: 0.75, passed: true, details: "y" },
        ],
      })),
    },
    { rows: 3, examples: 3, metrics: { contains: 2 / 3, similarity: 0.75 } },
  ),
  lines(
    "scores next to the answer in the output, as Weave's calls have them",
    many(2, (i) => ({
      op_name: "Evaluation.predict_and_score",
      inputs: { example: { question: `q${i}` } },
      output: { output: { text: "a" }, scores: { match: { correct: i < 1 } }, model_latency: 1.2 },
    })),
    { rows: 2, examples: 2, metrics: { correct: 0.5 } },
  ),
  lines(
    "scores of labels in the answer, next to a verdict",
    many(2, (i) => ({
      text: `t${i}`,
      output: { label: "pos", scores: { pos: 0.9, neg: 0.1 } },
      correct: i < 1,
    })),
    { rows: 2, examples: 2, metrics: { correct: 0.5 } },
  ),
  lines(
    "lines and then their totals, with a score too",
    [
      ...many(3, (i) => ({ question: `q${i}`, answer: "a", score: i < 2 ? 1 : 0 })),
      { summary: true, total: 3, score: 0.67 },
    ],
    { rows: 3, examples: 3, metrics: { score: 2 / 3 } },
  ),
  lines(
    "runs of LangSmith with the averages of their feedback",
    many(2, (i) => ({
      inputs: { question: `q${i}` },
      outputs: { answer: "a" },
      reference_example_id: `ex-${i}`,
      feedback_stats: { correctness: { n: 1, avg: i } },
      total_tokens: 120,
    })),
    { rows: 2, examples: 2, metrics: { correctness: 0.5 } },
  ),
  csv(
    "whole numbers as durations without a unit",
    `test,passed,duration\na,true,12\nb,false,35`,
    { rows: 2, examples: 2, metrics: { passed: 0.5 } },
    /duration does not name its unit and is read as seconds/,
  ),
  lines(
    "points out of a number that differs",
    many(2, (i) => ({ question: `q${i}`, grade: { points: i + 3, out_of: i + 4 } })),
    { rows: 2, examples: 2, metrics: { points: 3.5 } },
    /grade\.out_of differs between rows: write each score as a share of it/,
  ),
  doc(
    "rows by id, and their mean",
    { q1: { score: 1 }, q2: { score: 0 }, q3: { score: 1 }, mean: { score: 0.67 } },
    { rows: 3, examples: 3, metrics: { score: 2 / 3 } },
    /the last row looks like a sum of the others \(\$key is mean\)/,
  ),
  csv(
    "decimal commas",
    `Frage;Korrektheit
    a;0,9
    b;0,25
    c;1`,
    undefined,
    /Korrektheit has decimal commas \(0,9\), so it is read as text/,
  ),
  csv(
    "words with spaces around them",
    `question,verdict
    a, pass
    b, fail
    c, pass`,
    { rows: 3, examples: 3, metrics: { verdict: 2 / 3 } },
  ),
  csv(
    "unnamed verdict",
    `input,a,b
    x,1,0
    y,0,1`,
    { rows: 2, examples: 2, metrics: { a: 0.5, b: 0.5 } },
  ),
  lines(
    "response time",
    many(2, (i) => ({
      user_message: `m${i}`,
      bot_reply: "r",
      response_time: 1.5,
      resolved: true,
      escalated: i < 1,
    })),
    { rows: 2, examples: 2, metrics: { resolved: 1 } },
  ),
];
