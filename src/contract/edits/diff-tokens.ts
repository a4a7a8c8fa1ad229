/** A run of `count` tokens. `before` and `after`: where it starts in each list. */
export type Change = { kind: 'same' | 'removed' | 'added'; before: number; after: number; count: number }

/**
 * Limits the work of all comparisons that share it, such as those of one answer. 1,000,000 units
 * take 20 to 70 ms.
 */
export type DiffBudget = { units: number }
export const maxDiffUnits = 1_000_000

/**
 * The shortest edit from one list to another (Myers, "An O(ND) difference algorithm", 1986), as
 * runs of equal, removed and added tokens. If the budget is used up, everything between the first
 * and the last difference counts as replaced.
 */
export function diffTokens(
  before: readonly string[],
  after: readonly string[],
  budget: DiffBudget,
): Change[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++

  const numbers = new Map<string, number>()
  const left = numbered(before.slice(start, before.length - end), numbers)
  const right = numbered(after.slice(start, after.length - end), numbers)
  const changes = createChanges()
  changes.add('same', start)
  for (const kind of shortestEdit(left, right, budget) ?? replacement(left, right)) changes.add(kind, 1)
  changes.add('same', end)
  return changes.list
}

type Kind = Change['kind']

/** Equal tokens get equal numbers, which are faster to compare. */
function numbered(tokens: readonly string[], numbers: Map<string, number>): Int32Array {
  return Int32Array.from(tokens, (token) => {
    const number = numbers.get(token) ?? numbers.size
    numbers.set(token, number)
    return number
  })
}

/**
 * Joins tokens of the same kind into runs. Of adjacent changes, the removed tokens come before the
 * added ones.
 */
function createChanges() {
  const list: Change[] = []
  let before = 0
  let after = 0
  let added = 0

  function push(kind: Kind, count: number) {
    if (count === 0) return
    const last = list.at(-1)
    if (last?.kind === kind) last.count += count
    else list.push({ kind, before, after, count })
    if (kind !== 'added') before += count
    if (kind !== 'removed') after += count
  }

  return {
    add(kind: Kind, count: number) {
      if (count === 0) return
      if (kind === 'added') added += count
      else {
        if (kind === 'same') flush()
        push(kind, count)
      }
    },
    get list() {
      flush()
      return list
    },
  }

  function flush() {
    push('added', added)
    added = 0
  }
}

function* replacement(left: Int32Array, right: Int32Array): Generator<Kind> {
  for (let n = 0; n < left.length; n++) yield 'removed'
  for (let n = 0; n < right.length; n++) yield 'added'
}

/**
 * The shortest edit, as one kind per equal, removed or added token. Undefined if the budget is used
 * up first.
 */
function shortestEdit(left: Int32Array, right: Int32Array, budget: DiffBudget): Kind[] | undefined {
  const [n, m] = [left.length, right.length]
  // The furthest position in `left` per diagonal, for each number of edits; diagonal k is at index
  // k + edits.
  const rounds: Int32Array[] = []
  for (let edits = 0; ; edits++) {
    const previous = rounds[edits - 1]
    const furthest = new Int32Array(2 * edits + 1)
    rounds.push(furthest)
    for (let k = -edits; k <= edits; k += 2) {
      let x = previous ? startOf(previous, k, edits) : 0
      const from = x
      while (x < n && x - k < m && left[x] === right[x - k]) x++
      furthest[k + edits] = x
      budget.units -= 1 + x - from
      if (x >= n && x - k >= m) return backtrack(rounds, n, m)
    }
    if (budget.units < 0) return undefined
  }
}

/**
 * The position in `left` where diagonal k starts: after an added token (from k + 1) or a removed
 * one (from k - 1).
 */
function startOf(previous: Int32Array, k: number, edits: number): number {
  return isAdded(previous, k, edits) ? previous[k + edits]! : previous[k + edits - 2]! + 1
}

function isAdded(previous: Int32Array, k: number, edits: number): boolean {
  return k === -edits || (k !== edits && previous[k + edits - 2]! < previous[k + edits]!)
}

function backtrack(rounds: readonly Int32Array[], n: number, m: number): Kind[] {
  const kinds: Kind[] = []
  let [x, y] = [n, m]
  for (let edits = rounds.length - 1; edits > 0; edits--) {
    const previous = rounds[edits - 1]!
    const k = x - y
    const start = startOf(previous, k, edits)
    for (; x > start; x--) kinds.push('same')
    const added = isAdded(previous, k, edits)
    kinds.push(added ? 'added' : 'removed')
    if (!added) x--
    y = x - (added ? k + 1 : k - 1)
  }
  for (; x > 0; x--) kinds.push('same')
  return kinds.reverse()
}
