import { csv, doc, first, lines, many, type Shape } from "./shape.ts";

/** Tables of spreadsheets, rows of two kinds, and names that several columns share. */
export const ODD: readonly Shape[] = [
  csv(
    "lines of commas at the end of a spreadsheet",
    `question,score,\n${many(5, (i) => `q${i},${first(3, i)},`).join("\n")}\n,,\n,,`,
    { rows: 5, examples: 5, metrics: { score: 0.6 } },
  ),
  csv(
    "a row that sums the others up",
    `question,answer,score\n${many(5, (i) => `q${i},a,${first(3, i)}`).join("\n")}\nTOTAL,,3`,
    { rows: 5, examples: 5, metrics: { score: 0.6 } },
    /last row looks like a sum of the others \(question is TOTAL\)/,
  ),
  csv(
    "a last row whose kind is a word for a sum",
    `question,task_type,accuracy\n${many(5, (i) => `q${i},${i < 4 ? "qa" : "summary"},${first(3, i)}`).join("\n")}`,
    { rows: 5, examples: 5, metrics: { accuracy: 0.6 } },
  ),
  csv(
    "names of columns with spaces around them",
    `question , answer , score\n${many(5, (i) => `q${i} , a , ${first(3, i)}`).join("\n")}`,
    { rows: 5, examples: 5, metrics: { score: 0.6 } },
  ),
  doc(
    "questions under a name that says little, in suites with names",
    {
      suites: many(2, (s) => ({
        name: `suite ${s}`,
        cases: many(5, (i) => ({ inputQuestion: `what is ${s}-${i}?`, score: first(3, i) })),
      })),
    },
    { rows: 10, examples: 10, metrics: { score: 0.6 } },
  ),
  lines(
    "crashes as true and false",
    many(5, (i) => ({ question: `q${i}`, error: i === 4, score: i === 4 ? null : first(3, i) })),
    { rows: 5, examples: 5, errors: 1, metrics: { score: 0.75 } },
  ),
  csv(
    "crashes as True and False in a table",
    `question,error,score\n${many(5, (i) => `q${i},${i === 4 ? "True" : "False"},${i === 4 ? "" : first(3, i)}`).join("\n")}`,
    { rows: 5, examples: 5, errors: 1, metrics: { score: 0.75 } },
  ),
  lines(
    "errors as the only score",
    many(5, (i) => ({ question: `q${i}`, error: i === 4 })),
    { rows: 5, examples: 5, metrics: { error: 0.2 } },
  ),
  lines(
    "crashes as objects with their message",
    many(5, (i) => ({
      question: `q${i}`,
      error: i === 4 ? { type: "Timeout", message: "no answer" } : null,
      score: i === 4 ? null : first(3, i),
    })),
    { rows: 5, examples: 5, errors: 1, metrics: { score: 0.75 } },
  ),
  lines(
    "rates of errors by kind, which are no crashes",
    many(5, (i) => ({ question: `q${i}`, errors: { wer: i / 5, cer: i / 10 } })),
    { rows: 5, examples: 5, metrics: { wer: 0.4, cer: 0.2 } },
  ),
  doc(
    "averages with an empty column before the rows",
    {
      metrics: many(2, (i) => ({ label: `m${i}`, count: 5, score: 0.9, source: null })),
      rows: many(5, (i) => ({ question: `q${i}`, output: "a", score: first(3, i) })),
    },
    { rows: 5, examples: 5, metrics: { score: 0.6 } },
  ),
  csv(
    "a row per score",
    `question,metric,value\n${many(4, (i) => `q${i},f1,0.${i}\nq${i},em,${first(2, i)}`).join("\n")}`,
    undefined,
    /^(?!.*no column was taken).*metric names the score of each row: write a column per score/s,
  ),
  csv(
    "points of points possible",
    `task,points,points_possible\n${many(5, (i) => `t${i},${[3, 4, 4, 1, 0][i]},4`).join("\n")}`,
    { rows: 5, examples: 5, metrics: { points: 2.4 } },
  ),
  doc(
    "rows by arm at the top of the file",
    {
      "gpt-4o": many(4, (i) => ({ q: `q${i}`, correct: i < 2 })),
      claude: many(4, (i) => ({ q: `q${i}`, correct: i < 3 })),
    },
    { rows: 8, examples: 8, metrics: { correct: 0.625 } },
    /once for every \$key \(2 values\)/,
  ),
  doc(
    "two scores of one name",
    {
      results: many(5, (i) => ({
        question: `q${i}`,
        baseline: { score: 1 },
        candidate: { score: first(3, i) },
      })),
    },
    { rows: 5, examples: 5, metrics: { baseline_score: 1, candidate_score: 0.6 } },
  ),
  doc(
    "steps with rewards in episodes with an end",
    {
      episodes: many(4, (i) => ({
        task: `task ${i}`,
        steps: many(3, (k) => ({ action: "click", reward: k })),
        success: i < 3,
      })),
    },
    { rows: 4, examples: 4, metrics: { success: 0.75 } },
  ),
  doc(
    "a second list whose name begins like the first",
    {
      results: many(10, (i) => ({ question: `text ${i}`, score: first(7, i) })),
      results_hard: many(4, (i) => ({ problem: `hard ${i}`, solved: false })),
    },
    { rows: 10, examples: 10, metrics: { score: 0.7 } },
    /another list of rows, results_hard \(4\)/,
  ),
  lines(
    "a score of -1 where there is none",
    many(5, (i) => ({ question: `q${i}`, score: i < 4 ? first(3, i) : -1 })),
    undefined,
    /score is -1 in 1 row: if that means not scored/,
  ),
  lines(
    "durations of no unit that are long",
    many(5, (i) => ({ question: `q${i}`, duration: 800 + i, passed: i < 3 })),
    { rows: 5, examples: 5, metrics: { passed: 0.6 } },
    /duration does not name its unit and is read as seconds: write duration_ms/,
  ),
  lines(
    "a verdict with a word that no one knows, next to a score",
    many(6, (i) => ({ input: `q${i}`, verdict: ["PASS", "WARN", "FAIL"][i % 3], similarity: 0.5 })),
    undefined,
    /verdict has words without a known meaning \(WARN\).*must be words with the numbers they count/s,
  ),
  csv(
    "a judge's verdict with a word that no one knows",
    `prompt,judge_verdict,rouge\na,Correct,0.5\nb,Incorrect,0.1\nc,Mostly correct,0.4`,
    undefined,
    /judge_verdict has words without a known meaning \(Mostly correct\)/,
  ),
  lines(
    "a verdict with a word that no one knows, next to the same as a flag",
    many(4, (i) => ({ input: `q${i}`, result: i < 3 ? "passed" : "failed: x", passed: i < 3 })),
    { rows: 4, examples: 4, metrics: { passed: 0.75 } },
    /not taken as metrics: result; result has words without a known meaning \(failed: x\)/,
  ),
  lines(
    "names of one letter, of which one could mean yes",
    many(2, (i) => ({ name: ["x", "y"][i], score: i })),
    { rows: 2, examples: 2, metrics: { score: 0.5 } },
  ),
  ...["pred", "preds", "got", "guess", "model_pred", "sum_of_it"].map((name) =>
    csv(
      `numbers as answers under the name ${name}`,
      `question,gold,${name},correct\n2+2?,4,4,1\n3*9?,27,28,0\n7-2?,5,5,1`,
      { rows: 3, examples: 3, metrics: { correct: 2 / 3 } },
    ),
  ),
  csv(
    "percentages and plain numbers in one column",
    `input,score\na,85%\nb,0.9\nc,70`,
    { rows: 3, examples: 3, metrics: { score: 23.91667 } },
    /score mixes shares and plain numbers: 85% is read as a share and 70 as it is/,
  ),
  doc(
    "tests with a name and a flag, and nothing else",
    { results: many(4, (i) => ({ name: `t${i}`, passed: i < 3 })) },
    { rows: 4, examples: 4, metrics: { passed: 0.75 } },
  ),
  doc(
    "tests with a name, a flag and a reason in a list",
    many(4, (i) => ({ name: `t${i}`, passed: i < 3, reason: `because ${i}` })),
    { rows: 4, examples: 4, metrics: { passed: 0.75 } },
  ),
  ...[
    { doc: "d", score: 0.9 },
    { doc_id: 7, title: "t", text: "some text", score: 0.9, relevant: true },
    { content: "some text", source: "a.md", similarity: 0.2 },
  ].map((chunk) =>
    doc(
      `questions with what was retrieved for them: ${Object.keys(chunk).join(", ")}`,
      {
        results: many(3, (i) => ({
          query: `q${i}`,
          "recall@5": i / 2,
          chunks: many(9, () => chunk),
        })),
      },
      { rows: 3, examples: 3, metrics: { "recall@5": 0.5 } },
      /another list of rows, results\[\]\.chunks\[\] \(27\), that this mapping leaves out/,
    ),
  ),
  doc(
    "conversations with a mark for each turn",
    many(4, (i) => ({
      scenario: `s${i}`,
      resolved: i < 3,
      turns: many(6, (turn) => ({ user: `u${turn}`, agent: "a", sentiment: turn / 10 })),
    })),
    { rows: 4, examples: 4, metrics: { resolved: 0.75 } },
  ),
  doc(
    "a prompt with its average over questions of their own",
    {
      prompts: many(2, (p) => ({
        prompt: `p${p}`,
        pass_rate: 0.5,
        cases: many(4, (i) => ({ question: `q${p}${i}`, answer: "a", correct: i < 2 })),
      })),
    },
    { rows: 8, examples: 8, metrics: { correct: 0.5 } },
  ),
  doc(
    "tests that only a description names, with their assertions",
    {
      tests: many(4, (i) => ({
        description: `d${i}`,
        assertions: [{ type: "contains", pass: i < 3 }],
      })),
    },
    { rows: 4, examples: 4, metrics: { contains: 0.75 } },
  ),
  lines(
    "pairs of responses with a winner",
    many(6, (i) => ({
      prompt: `p${i}`,
      response_a: `x${i}`,
      response_b: "y",
      winner: "AB"[i % 2],
    })),
    undefined,
    /winner has words without a known meaning \(A, B\)/,
  ),
  csv(
    "grades as letters",
    `question,answer,grade\na,x,A\nb,y,C\nc,z,A\nd,u,F`,
    undefined,
    /grade has words without a known meaning \(A, C, F\)/,
  ),
  csv(
    "grades as letters next to a number",
    `question,answer,grade,score\na,x,A,1\nb,y,C,0.5\nc,z,A,0.9\nd,u,F,0`,
    { rows: 4, examples: 4, metrics: { score: 0.6 } },
    /not taken as metrics: grade/,
  ),
  lines(
    "reasons under a name with dots that are all one word",
    many(4, (i) => ({
      "inputs.q": `q${i}`,
      "outputs.fit.score": i / 3,
      "outputs.fit.reason": "ok",
    })),
    { rows: 4, examples: 4, metrics: { fit: 0.5 } },
  ),
  doc(
    "cases with a name and a number, and nothing else",
    { evals: many(6, (i) => ({ name: `refund ${i}`, score: i / 5 })) },
    { rows: 6, examples: 6, metrics: { score: 0.5 } },
  ),
  doc(
    "averages with the name of their metric",
    {
      metrics: [
        { name: "accuracy", value: 0.8 },
        { name: "answer_relevancy", value: 0.7 },
      ],
    },
    undefined,
    /gates compare rows, not averages/,
  ),
  doc(
    "agents with the steps they took, each with its own input",
    many(4, (i) => ({
      task: `t${i}`,
      success: i < 3,
      steps: many(3, (n) => ({ input: `s${n}`, output: "y", valid: true })),
    })),
    { rows: 4, examples: 4, metrics: { success: 0.75 } },
    /another list of rows, \[\]\.steps\[\] \(12\), that this mapping leaves out/,
  ),
  csv(
    "spans with what was asked under a name with dots",
    `context.span_id,attributes.input.value,attributes.output.value,eval.QA.score\ns1,q1,a,1\ns2,q1,b,0\ns3,q2,c,1\ns4,q2,d,1`,
    { rows: 4, examples: 2, metrics: { "eval.QA": 0.75 } },
  ),
  csv(
    "answers of yes and no under a name of two words",
    `Question,model_answer,Final answer,is_correct\na,yes,yes,true\nb,no,yes,false`,
    { rows: 2, examples: 2, metrics: { is_correct: 0.5 } },
  ),
  doc(
    "a list of marks for each metric, by its name",
    {
      results: {
        accuracy: many(4, (i) => ({ question: `q${i}`, value: first(3, i) })),
        toxicity: many(4, (i) => ({ question: `q${i}`, value: i / 100 })),
      },
    },
    undefined,
    /\$key names the score of each row: write a column per score/,
  ),
  doc(
    "a list of marks for each subject, by its name",
    {
      results: {
        science: many(4, (i) => ({ question: `s${i}`, value: first(3, i) })),
        finance: many(4, (i) => ({ question: `f${i}`, value: first(1, i) })),
      },
    },
    { rows: 8, examples: 8, metrics: { value: 0.5 } },
  ),
  doc(
    "attempts that are numbered, by the prompt they are of",
    {
      results: many(4, (i) => ({
        prompt_id: `p${i}`,
        attempts: many(3, (n) => ({ n, pass: (i + n) % 2 === 0 })),
      })),
    },
    { rows: 12, examples: 4, metrics: { pass: 0.5 } },
  ),
  doc(
    "verdicts by arm and question, both of them keys",
    {
      results: Object.fromEntries(
        ["baseline", "candidate"].map((arm, at) => [
          arm,
          Object.fromEntries(many(3, (i) => [`q${i}`, { correct: i < 2 + at }])),
        ]),
      ),
    },
    { rows: 6, examples: 6, metrics: { correct: 5 / 6 } },
    /identity: \["results\.\*\.\$key", \$key\]/,
  ),
  doc(
    "names of two or three letters",
    { d: many(4, (i) => ({ id: i, in: `x${i}`, out: "y", exp: "y", eq: i < 3 })) },
    { rows: 4, examples: 4, metrics: { eq: 0.75 } },
  ),
  doc(
    "scores by name with weights of their own",
    many(4, (i) => ({
      case_id: `c${i}`,
      scores: { accuracy: { score: i / 3, weight: 2 }, style: { score: 0.5, weight: 1 } },
    })),
    { rows: 4, examples: 4, metrics: { accuracy: 0.5, style: 0.5 } },
  ),
  doc(
    "feedback in which one score is missing",
    many(4, (i) => ({
      input: { messages: [{ role: "user", content: `hi ${i}` }] },
      feedback: [
        { key: "correct", score: first(3, i) },
        { key: "tone", score: i === 0 ? 0.5 : null },
      ],
    })),
    { rows: 4, examples: 4, metrics: { correct: 0.75, tone: 0.5 } },
  ),
  doc(
    "conversations with a rating that begins anew",
    many(10, (i) => ({
      conversation: [{ role: "user", content: `hi ${i}` }],
      evaluation: { rating: i % 5, reason: "x" },
    })),
    { rows: 10, examples: 10, metrics: { rating: 2 } },
  ),
  csv(
    "whole ratings next to their total",
    `Conversation ID,Greeting,Empathy,Total\nc1,2,3,5\nc2,2,2,4\nc3,5,4,9\nc4,3,3,6`,
    { rows: 4, examples: 4, metrics: { Greeting: 3, Empathy: 3 } },
  ),
  csv(
    "an average of each task with its standard error",
    `model,task,acc,stderr\nm1,a,0.5,0.01\nm1,b,0.7,0.01\nm2,a,0.6,0.02\nm2,b,0.6,0.01`,
    { rows: 4, examples: 4, metrics: { acc: 0.6 } },
  ),
  doc(
    "testCases of somebody's own",
    {
      testCases: many(4, (i) => ({ testCaseId: `t${i}`, userInput: `u${i}`, isCorrect: i < 3 })),
    },
    { rows: 4, examples: 4, metrics: { isCorrect: 0.75 } },
  ),
  csv(
    "a percentage whose name is also one of tokens",
    `Scenario,Completion %,Quality\na,50%,0.5\nb,100%,1`,
    { rows: 2, examples: 2, metrics: { "Completion %": 0.75, Quality: 0.75 } },
  ),
  doc(
    "tokens under the names of input and output",
    many(4, (i) => ({
      question: `q${i}`,
      grader: { result: i < 3 ? "CORRECT" : "INCORRECT" },
      tokens: { input: 10, output: 20 },
    })),
    { rows: 4, examples: 4, metrics: { result: 0.75 } },
    /usage\.prompt_tokens: tokens\.input, usage\.completion_tokens: tokens\.output/,
  ),
  doc(
    "a table of lists under a key",
    { model: "m", results: { question: ["a", "b", "c"], score: [1, 0.5, 0] } },
    { rows: 3, examples: 3, metrics: { score: 0.5 } },
  ),
];
