// The agent under test: right answers, but for q13; q14 crashes. VARIANT=worse gets q1 to q10 wrong as well,
// VARIANT=b is asked backwards.
const worse = process.env.VARIANT === "worse";
const QUESTIONS = Array.from({ length: 14 }, (_, n) => ({ q: `q${n + 1}`, a: `answer ${n + 1}.` }));
if (process.env.VARIANT === "b") QUESTIONS.reverse();
function answer(q) {
  const n = Number(q.slice(1));
  if (n === 14) throw new TypeError("agent down");
  return n === 13 || (worse && n <= 10) ? "no idea" : `answer ${n}.`;
}
module.exports = { QUESTIONS, answer };
