import { expect, test } from 'vitest'
import { countReads, maxReads, milliseconds, type Part } from '../../bench/hostile/check-genome.ts'
import { climb } from '../../bench/hostile/climb.ts'
import type { Genome } from '../../bench/hostile/grow-form.ts'
import { createRandom } from '../../bench/large-data/random.ts'

const searchSeconds = 60

test.each<Part>(['forms', 'answer'])(
  'a search for the slowest %s below 200 KB finds none that is read without bound',
  (part) => {
    const seed = Date.now() % 2 ** 31
    const deadline = performance.now() + searchSeconds * 1000
    const score = (genome: Genome) => countReads(genome, part)
    const worst = climb(createRandom(seed), score, () => performance.now() < deadline)
    const found = `${worst.score} reads, ${milliseconds(worst.genome, part).toFixed(0)} ms: ${JSON.stringify(worst.genome)}`
    console.log(`seed ${seed}: the worst ${part} found: ${found}`)
    expect(worst.score, `seed ${seed}: ${found}`).toBeLessThan(maxReads)
  },
)
