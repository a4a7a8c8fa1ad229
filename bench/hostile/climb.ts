import type { Random } from '../large-data/random.ts'
import { allKinds, type Gene, type Genome } from './grow-form.ts'

export type Find = { genome: Genome; score: number }

// After this many changes without improvement, the search restarts elsewhere.
const maxFailures = 40

/** Searches for the genome with the highest score by hill climbing with restarts. */
export function climb(
  random: Random,
  score: (genome: Genome) => number,
  shouldContinue: () => boolean,
): Find {
  let best: Find = { genome: { forms: 1, genes: [randomGene(random)] }, score: 0 }
  while (shouldContinue()) {
    let current = scored(randomGenome(random), score)
    for (let failures = 0; failures < maxFailures && shouldContinue(); failures++) {
      const next = scored(mutated(random, current.genome), score)
      if (next.score <= current.score) continue
      current = next
      failures = 0
    }
    if (current.score > best.score) best = current
  }
  return best
}

function scored(genome: Genome, score: (genome: Genome) => number): Find {
  return { genome, score: score(genome) }
}

function randomGenome(random: Random): Genome {
  return {
    forms: 1 + random.below(3),
    genes: Array.from({ length: 1 + random.below(4) }, () => randomGene(random)),
  }
}

function randomGene(random: Random): Gene {
  const kind = allKinds[random.below(allKinds.length)]!
  return { kind, count: 2 ** random.below(11), size: 2 ** random.below(8), link: random.below(4) }
}

function mutated(random: Random, { forms, genes }: Genome): Genome {
  const at = random.below(genes.length)
  const gene = genes[at]!
  const amount = (value: number) =>
    random.pick([
      [value * 2, 3],
      [Math.ceil(value / 2), 2],
      [value + 1, 1],
      [Math.max(0, value - 1), 1],
    ])
  const withGene = (...replaced: Gene[]) => ({ forms, genes: genes.toSpliced(at, 1, ...replaced) })
  const change = random.pick([
    [() => withGene({ ...gene, count: amount(gene.count) }), 4],
    [() => withGene({ ...gene, size: amount(gene.size) }), 4],
    [() => withGene({ ...gene, link: random.below(genes.length + 1) }), 2],
    [() => withGene(gene, randomGene(random)), 1],
    [() => (genes.length > 1 ? withGene() : withGene(randomGene(random))), 1],
    [() => ({ forms: Math.min(50, amount(forms) || 1), genes }), 2],
  ])
  return change()
}
