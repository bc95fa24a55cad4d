import { csv, doc, first, lines, many, type Shape } from "./shape.ts";

/** What cells hold, and which of them are metrics. */
export const CELLS: readonly Shape[] = [
  csv(
    "percentages as text",
    `question,answer,similarity
    a,x,53.33%
    b,y,46.67%
    c,z,50%`,
    { rows: 3, examples: 3, metrics: { similarity: 0.5 } },
  ),
  csv(
    "fractions as text",
    `question,answer,score,rating,grade
    a,x,3/5,7 / 10,1 out of 4
    b,y,5/5,8 / 10,2 of 4
    c,z,1/5,9 / 10,3 of 4`,
    { rows: 3, examples: 3, metrics: { score: 0.6, rating: 0.8, grade: 0.5 } },
  ),
  csv(
    "fractions of which one is more than the whole",
    `question,answer,score,correct
    a,x,3/5,1
    b,y,6/5,0`,
    { rows: 2, examples: 2, metrics: { correct: 0.5 } },
  ),
  csv(
    "YES and NO, and N/A where it was not asked",
    `question,answer,Grounded,Cites source
    a,x,YES,N/A
    b,y,NO,YES
    c,z,YES,NO
    d,z,YES,N/A`,
    { rows: 4, examples: 4, metrics: { Grounded: 0.75, "Cites source": 0.5 } },
  ),
  csv(
    "Pass/Fail of a spreadsheet",
    `Test Case,Question,Expected Answer,Actual Answer,Pass/Fail
    TC-1,a,x,x,Pass
    TC-2,b,y,z,Fail
    TC-3,c,y,y,Pass
    TC-4,d,y,y,Pass`,
    { rows: 4, examples: 4, metrics: { "Pass/Fail": 0.75 } },
  ),
  csv(
    "ticks",
    `prompt,output,result
    a,x,✅
    b,y,❌
    c,y,✅
    d,y,✅`,
    { rows: 4, examples: 4, metrics: { result: 0.75 } },
  ),
  csv(
    "metrics whose names hold words of other things",
    `question,token_f1,number_accuracy,no_hallucination,id_match,time_understanding
    a,0.5,1,1,1,0.5
    b,0.25,0,1,1,0.5`,
    {
      rows: 2,
      examples: 2,
      metrics: {
        token_f1: 0.375,
        number_accuracy: 0.5,
        no_hallucination: 1,
        id_match: 1,
        time_understanding: 0.5,
      },
    },
  ),
  csv(
    "costs, tokens and latency",
    `question,answer,correct,latency_ms,prompt_tokens,completion_tokens,total_tokens,cost_usd
    a,x,1,1200,10,20,30,0.01
    b,y,0,900,11,21,32,0.02`,
    { rows: 2, examples: 2, metrics: { correct: 0.5 } },
  ),
  csv(
    "TruLens records",
    `app_id,record_id,input,output,Answer Relevance,Groundedness,Answer Relevance direction,Groundedness direction,Answer Relevance feedback cost in USD,Groundedness feedback cost in USD,latency,total_tokens,total_cost,ts
    app,record_1,q1,a1,1,0.5,True,True,0.001,0.002,1.5,100,0.01,2026-01-01 10:00:00
    app,record_2,q2,a2,0.5,0.5,True,True,0.001,0.002,2.5,120,0.02,2026-01-01 10:00:05`,
    { rows: 2, examples: 2, metrics: { "Answer Relevance": 0.75, Groundedness: 0.5 } },
  ),
  lines(
    "flags, ids of processes and settings",
    many(4, (i) => ({
      prompt: `p${i}`,
      response: "r",
      passed: i < 3,
      pid: 4100 + i,
      exit_code: 0,
      cached: false,
      streaming: true,
      temperature: 0.7,
      top_p: 1,
      max_tokens: 256,
      worker: 2,
      port: 8080,
    })),
    { rows: 4, examples: 4, metrics: { passed: 0.75 } },
  ),
  lines(
    "a configuration in every row",
    many(3, (i) => ({
      input: `p${i}`,
      score: 0.5,
      config: { temperature: 0.1, top_k: 5, rerank: true },
      metadata: { difficulty: i, turn: 1 },
      usage: { input_tokens: 4, output_tokens: 5 },
    })),
    { rows: 3, examples: 3, metrics: { score: 0.5 } },
  ),
  lines(
    "a rating from 1 to 5",
    many(4, (i) => ({
      conversation_id: `c${i}`,
      transcript: `t${i}`,
      helpfulness: 3 + (i % 3),
      politeness: 4,
    })),
    { rows: 4, examples: 4, metrics: { helpfulness: 3.75, politeness: 4 } },
  ),
  lines(
    "a score out of a hundred",
    many(4, (i) => ({ scenario: `s${i}`, overall_score: 70 + i * 10, grade: "B" })),
    { rows: 4, examples: 4, metrics: { overall_score: 85 } },
  ),
  doc(
    "numbers as text",
    many(4, (i) => ({
      query: `q${i}`,
      response: "r",
      relevance: String(first(3, i)),
      faithfulness: "0.5",
    })),
    { rows: 4, examples: 4, metrics: { relevance: 0.75, faithfulness: 0.5 } },
  ),
  csv(
    "True and False of Python",
    `user_query,generated_sql,gold_sql,execution_match
    a,s,s,True
    b,s,t,False`,
    { rows: 2, examples: 2, metrics: { execution_match: 0.5 } },
  ),
  csv(
    "a column of the pandas index",
    `,question,answer,score
    0,a,x,1
    1,b,y,0`,
    { rows: 2, examples: 2, metrics: { score: 0.5 } },
  ),
  csv(
    "an output that is a number",
    `input,output,expected,exact
    2+2,4,4,1
    3+3,5,6,0`,
    { rows: 2, examples: 2, metrics: { exact: 0.5 } },
  ),
  csv(
    "a prediction and a label, both words",
    `text,label,prediction,is_correct
    a,pos,pos,1
    b,neg,pos,0
    c,neg,neg,1`,
    { rows: 3, examples: 3, metrics: { is_correct: 2 / 3 } },
  ),
  csv(
    "labels only, and nothing that compares them",
    `text,label,prediction
    a,pos,pos
    b,neg,pos`,
    undefined,
    /no column of numbers|no score/,
  ),
  lines(
    "SimpleQA's grades",
    many(4, (i) => ({
      problem: `p${i}`,
      target: "t",
      response: "r",
      grade: ["CORRECT", "INCORRECT", "NOT_ATTEMPTED", "CORRECT"][i],
    })),
    { rows: 4, examples: 4, metrics: { grade: 0.5 } },
  ),
  lines(
    "which of two models won",
    many(4, (i) => ({
      question_id: i,
      model_1: "a",
      model_2: "b",
      winner: ["model_1", "model_2", "tie", "model_1"][i],
    })),
    undefined,
    /words|no column of numbers/,
  ),
  lines(
    "IFEval",
    many(4, (i) => ({
      key: 1000 + i,
      prompt: `write ${i}`,
      response: "r",
      instruction_id_list: ["a:b"],
      follow_all_instructions: i < 3,
      follow_instruction_list: [true],
    })),
    { rows: 4, examples: 4, metrics: { follow_all_instructions: 0.75 } },
  ),
  lines(
    "metrics at a cut-off",
    many(2, (i) => ({ query_id: `q${i}`, "ndcg@10": 0.5, "recall@5": first(1, i), mrr: 0.25 })),
    { rows: 2, examples: 2, metrics: { "ndcg@10": 0.5, "recall@5": 0.5, mrr: 0.25 } },
  ),
  doc(
    "an object of scores",
    many(3, (i) => ({ input: `i${i}`, output: "o", scores: { tone: 1, facts: first(2, i) } })),
    { rows: 3, examples: 3, metrics: { tone: 1, facts: 2 / 3 } },
  ),
  doc(
    "an object of judged metrics",
    many(3, (i) => ({
      input: `i${i}`,
      output: "o",
      evaluation: {
        correctness: { score: first(2, i), reason: "r" },
        tone: { score: 0.5, reason: "s" },
      },
    })),
    { rows: 3, examples: 3, metrics: { correctness: 2 / 3, tone: 0.5 } },
  ),
  doc(
    "a list of metrics by name",
    many(3, (i) => ({
      input: `i${i}`,
      metrics: [
        { name: "bleu", value: 0.5 },
        { name: "exact", value: first(1, i) },
      ],
    })),
    { rows: 3, examples: 3, metrics: { bleu: 0.5, exact: 1 / 3 } },
  ),
  doc(
    "a list of assertions that pass or not",
    many(3, (i) => ({
      test: `t${i}`,
      assertions: [
        { type: "contains", passed: true, message: "m" },
        { type: "not-contains", passed: i < 1, message: "n" },
      ],
    })),
    { rows: 3, examples: 3, metrics: { contains: 1, "not-contains": 1 / 3 } },
  ),
  doc(
    "checks by name",
    many(4, (i) => ({
      scenario_id: `s${i}`,
      checks: { has_greeting: true, mentions_price: i < 3 },
    })),
    { rows: 4, examples: 4, metrics: { has_greeting: 1, mentions_price: 0.75 } },
  ),
  doc(
    "grades in words by name",
    many(4, (i) => ({
      prompt: `s${i}`,
      grades: { accuracy: i < 3 ? "PASS" : "FAIL", tone: "PASS" },
    })),
    { rows: 4, examples: 4, metrics: { accuracy: 0.75, tone: 1 } },
  ),
  doc(
    "a result in each row",
    many(4, (i) => ({
      name: `t${i}`,
      result: { score: first(3, i), reason: "because" },
      duration: 1.5,
    })),
    { rows: 4, examples: 4, metrics: { score: 0.75 } },
  ),
  lines(
    "names with dots",
    many(2, (i) => ({
      "input.text": `t${i}`,
      "output.text": "o",
      "metrics.f1": 0.5,
      "metrics.exact.match": first(1, i),
    })),
    { rows: 2, examples: 2, metrics: { f1: 0.5, "exact.match": 0.5 } },
  ),
  csv(
    "names with spaces and signs",
    `Input Prompt,Model Output,Judge Score (0-1),Latency (s)
    a,x,0.5,1.2
    b,y,1,1.4`,
    { rows: 2, examples: 2, metrics: { "Judge Score (0-1)": 0.75 } },
  ),
  csv(
    "wide arms: a score of each model",
    `question,gpt4_score,claude_score
    a,1,0.5
    b,0,0.5`,
    { rows: 2, examples: 2, metrics: { gpt4_score: 0.5, claude_score: 0.5 } },
  ),
  lines(
    "thresholds next to metrics",
    many(2, (i) => ({
      input: `i${i}`,
      metric: "faithfulness",
      score: 0.5,
      threshold: 0.7,
      passed: false,
    })),
    { rows: 2, examples: 2, metrics: { score: 0.5, passed: 0 } },
  ),
  lines(
    "a row a metric",
    many(2, (i) =>
      ["faithfulness", "relevancy"].map((metric) => ({
        input: `i${i}`,
        output: "o",
        metric,
        score: metric === "relevancy" ? 1 : 0.5,
      })),
    ).flat(),
    undefined,
    /metric/,
  ),
  lines(
    "latencies and their average",
    many(3, (i) => ({
      query: `q${i}`,
      hit: i < 2,
      latency: 0.5,
      avg_latency: 0.6,
      p95_latency_ms: 900,
      duration_seconds: 0.5,
    })),
    { rows: 3, examples: 3, metrics: { hit: 2 / 3 } },
  ),
  lines(
    "counts next to a rate",
    many(3, (i) => ({
      document: `d${i}`,
      fields_correct: 8,
      fields_total: 10,
      field_accuracy: 0.8,
    })),
    { rows: 3, examples: 3, metrics: { field_accuracy: 0.8 } },
  ),
  lines(
    "safety marks",
    many(4, (i) => ({ attack_prompt: `a${i}`, response: "r", jailbroken: i < 1, refused: i > 0 })),
    { rows: 4, examples: 4, metrics: { jailbroken: 0.25, refused: 0.75 } },
  ),
  lines(
    "an answer that is yes or no",
    many(4, (i) => ({
      question: `q${i}`,
      answer: i % 2 === 0 ? "yes" : "no",
      expected: "yes",
      correct: i % 2 === 0,
    })),
    { rows: 4, examples: 4, metrics: { correct: 0.5 } },
  ),
  doc(
    "a judge's object with its own score",
    many(3, (i) => ({
      user_input: `u${i}`,
      response: "r",
      judge: { score: first(2, i), explanation: "e", model: "j" },
    })),
    { rows: 3, examples: 3, metrics: { score: 2 / 3 } },
  ),
  lines(
    "levels of difficulty and years",
    many(3, (i) => ({
      problem: `p${i}`,
      level: 3,
      year: 2020 + i,
      solution: "s",
      accuracy: first(1, i),
    })),
    { rows: 3, examples: 3, metrics: { accuracy: 1 / 3 } },
  ),
  lines(
    "a confidence next to a mark",
    many(2, (i) => ({
      claim_text: `c${i}`,
      verdict: i < 1 ? "correct" : "incorrect",
      confidence: 0.5,
    })),
    { rows: 2, examples: 2, metrics: { verdict: 0.5, confidence: 0.5 } },
  ),
  lines(
    "ranks and positions",
    many(3, (i) => ({ query: `q${i}`, rank: i + 1, position: i, reciprocal_rank: 0.5 })),
    { rows: 3, examples: 3, metrics: { reciprocal_rank: 0.5 } },
  ),
];
