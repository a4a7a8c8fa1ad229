import { expect, test } from 'vitest'
import { planDoubleReview } from './double-review-plan.ts'

const appAndType = { app: 'shop', type: 'refund' }
const policy = { policyId: 'pol_1', ...appAndType }

test('without a policy, or with one for exactly this app and type, double reviews can be switched', () => {
  expect(planDoubleReview([], appAndType)).toEqual({ canSwitch: true, share: 0 })
  const other = { policyId: 'pol_2', app: 'books', type: 'refund', needed: 2 }
  expect(planDoubleReview([other], appAndType)).toEqual({ canSwitch: true, share: 0 })
  const own = { ...policy, doubleReviewShare: 0.1 }
  const broader = { policyId: 'pol_3', type: 'refund' }
  expect(planDoubleReview([broader, own], appAndType)).toEqual({ canSwitch: true, share: 0.1 })
})

test('a broader policy and several answers need Settings', () => {
  for (const broader of [{ type: 'refund' }, { app: 'shop' }])
    expect(planDoubleReview([{ policyId: 'pol_2', ...broader }], appAndType)).toEqual({
      canSwitch: false,
      why: 'broader',
    })
  expect(planDoubleReview([{ ...policy, needed: 2 }], appAndType)).toEqual({
    canSwitch: false,
    why: 'several',
  })
})
