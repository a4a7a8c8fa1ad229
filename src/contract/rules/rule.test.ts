import { expect, test } from 'vitest'
import { z } from 'zod'
import { limits } from '../limits.ts'
import { ChangeRule, CreateRule } from './rule.ts'

const descriptionsOf = (schema: z.ZodType) => {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      (property as z.core.JSONSchema.JSONSchema).description,
    ]),
  )
}

test('a field with a default says what it means and what its default is', () => {
  expect(descriptionsOf(CreateRule)).toMatchObject({
    sample: `Share of matching tasks that still goes to people, to whom these tasks look like any other. Default: ${limits.ruleSampleDefault}.`,
    allowedDisagreement: `The share of answers by which people may disagree with the rule. It pauses once its samples show that people disagree more often. Default: ${limits.allowedDisagreementDefault}.`,
  })
})

test('a change of a rule has no defaults', () => {
  expect(descriptionsOf(ChangeRule)).toMatchObject({
    versions: expect.stringMatching(/^Exact versions\. null: every version/),
    sample: expect.not.stringContaining('Default'),
  })
})
