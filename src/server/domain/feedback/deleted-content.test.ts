import { describe, expect, test } from 'vitest'
import { generateAnswers } from '../../../../test/support/generated-answers.ts'
import { complete } from '../../lib/event-loop.ts'
import type { AnalyzedAnswer } from '../../storage/feedback/answers.ts'
import { createRandom } from '../demo/random.ts'
import { createFigures } from './figures.ts'

function figuresOf(answers: AnalyzedAnswer[]) {
  const collected = createFigures()
  for (const answer of answers) collected.add(answer)
  return complete(collected.finish())
}

describe('tasks whose content was deleted', () => {
  const deleted = { isContentDeleted: true, name: '', actionTitle: 'reject', data: {} }
  const kept = { name: 'Approve the parking permit', data: { reason: 'Parking permit' } }

  test('do not make words that the others say themselves a theme', () => {
    const answers = generateAnswers({
      random: createRandom(1),
      n: 300,
      answer: (i) => ({ actionId: 'reject', ...(i < 250 ? deleted : kept) }),
    })
    expect(figuresOf(answers).texts).toMatchObject({ themes: [], negativeTexts: 50 })
  })
  test('do not replace the title of an action by its ID, if another task has it', () => {
    const answers = generateAnswers({
      random: createRandom(1),
      n: 20,
      answer: (i) => ({ actionId: 'reject', ...(i > 10 && deleted) }),
    })
    expect(figuresOf(answers).actions).toMatchObject([{ actionId: 'reject', title: 'Reject', count: 20 }])
  })
})
