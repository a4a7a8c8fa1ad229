import { expect, test } from 'vitest'
import { looks, mostLooks } from './check-genome.ts'
import { worstFinds } from './worst-finds.ts'

test.each(worstFinds)(
  'a form that was slow to check is looked at a bounded number of times: %j',
  ({ part, genome }) => {
    const count = looks(genome, part)
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThan(mostLooks)
  },
)
