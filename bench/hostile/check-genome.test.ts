import { expect, test } from 'vitest'
import { countReads, maxReads } from './check-genome.ts'
import { worstFinds } from './worst-finds.ts'

test.each(worstFinds)(
  'a form that was slow to check is read a bounded number of times: %j',
  ({ part, genome }) => {
    const count = countReads(genome, part)
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThan(maxReads)
  },
)
