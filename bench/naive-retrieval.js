// What a good programmer would write in an hour: vectors as arrays of numbers, every cosine in full, a sort
// of the corpus for each question.

/** The nearest rows to a question, best first. */
export function naiveCosine(rows, question, limit) {
  const length = Math.sqrt(dot(question, question));
  return rows
    .map((row, index) => ({ index, score: dot(row, question) / (Math.sqrt(dot(row, row)) * length) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
