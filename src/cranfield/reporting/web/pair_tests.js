// --- Paired t-tests of any two systems, from the scores that the page holds --------------------------------------------
// Two-sided p of Student's t with whole degrees of freedom, a finite sum (Abramowitz & Stegun 1964, 26.7.3 and 26.7.4).
const twoSided = (t, df) => {
  const angle = Math.atan(Math.abs(t) / Math.sqrt(df)), cosine = Math.cos(angle), odd = df % 2 === 1;
  let term = df === 1 ? 0 : odd ? cosine : 1, sum = term;
  for (let k = odd ? 3 : 2; k < df; k += 2) { term *= (cosine * cosine * (k - 1)) / k; sum += term; }
  return Math.max(0, 1 - (odd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum));
};
// The t beyond which, on both sides, a share of the distribution lies.
const findQuantile = (share, df) => {
  let low = 0, high = 1;
  while (twoSided(high, df) > share && high < 1e12) high *= 2;
  for (let step = 0; step < 100; step += 1) {
    const half = (low + high) / 2;
    if (twoSided(half, df) > share) low = half; else high = half;
  }
  return high;
};
// Differences this small are what is left of equal ones when scores are written with six decimals.
const ROUNDING = 2e-6;
const describePair = (left, right) => {
  let topics = 0, difference = 0, squares = 0;
  for (let at = 0; at < left.length; at += 1) {
    if (left[at] === null || right[at] === null) continue;
    const gain = left[at] - right[at], before = gain - difference;
    topics += 1;
    difference += before / topics;
    squares += before * (gain - difference);
  }
  const flat = topics > 0 && squares <= topics * ROUNDING ** 2, same = flat && Math.abs(difference) <= ROUNDING, df = topics - 1;
  const error = same ? 0 : df > 0 && !flat ? Math.sqrt(squares / df / topics) : null;
  const p = same ? 1 : error === null ? null : twoSided(difference / error, df);
  return { topics, difference: topics ? difference : null, constant: flat && !same, df, error, p };
};
// The p of all pairs in order, and what Holm's procedure makes of them: a pair without a p is counted, as 1.
const adjustAll = once((all) => {
  const scores = all.scores[0], every = [];
  for (let left = 0; left < scores.length; left += 1) {
    for (let right = left + 1; right < scores.length; right += 1) {
      every.push(describePair(scores[left], scores[right]).p ?? 1);
    }
  }
  const ordered = Float64Array.from(every).sort(), adjusted = new Float64Array(ordered.length);
  ordered.forEach((p, at) => { adjusted[at] = Math.max(at ? adjusted[at - 1] : 0, Math.min(1, (ordered.length - at) * p)); });
  return { ordered, adjusted };
});
// A test of two systems as the page holds them where they were computed before: left, right, difference, the ends of its
// interval, p, p corrected, whether it is significant, the number of topics, and whether the difference is constant.
const testPair = (left, right, all, alpha) => {
  const { topics, difference, constant, df, error, p } = describePair(all.scores[0][left], all.scores[0][right]);
  if (!topics) return null;
  if (p === null) return [left, right, difference, null, null, null, null, false, topics, constant];
  const { ordered, adjusted } = adjustAll(all);
  let low = 0, high = ordered.length - 1;
  while (low < high) { const half = (low + high) >> 1; if (ordered[half] < p) low = half + 1; else high = half; }
  const reach = findQuantile(alpha / ordered.length, df) * error;
  return [left, right, difference, difference - reach, difference + reach, p, adjusted[low], adjusted[low] <= alpha, topics, constant];
};
