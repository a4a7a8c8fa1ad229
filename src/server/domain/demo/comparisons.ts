import { compareAnswers } from '../../../contract/gallery/compare-answers.ts'
import { remark, whyBetter } from './remarks.ts'
import { releaseAt, type SampleApp } from './sample-app.ts'

const prompts = [
  [
    'How do I undo the last commit and keep my changes?',
    '`git reset --soft HEAD~1` takes the commit away and leaves the files as they are, staged.',
    'Run `git revert HEAD`. It makes a new commit that undoes the last one.',
  ],
  [
    'Why is my list rendered twice in development?',
    'React’s strict mode runs effects twice there, to show what is not cleaned up. In production it happens once.',
    'You probably have two components. Check your code for duplicates.',
  ],
  [
    'Which index helps `WHERE a = 1 ORDER BY b`?',
    'One over `(a, b)`: equal values first, then the order.\n\n```sql\nCREATE INDEX ON t (a, b);\n```',
    'An index on `a` and another on `b`. The planner combines them.',
  ],
  [
    'What does a 409 mean?',
    'The request is valid, but it conflicts with the current state: someone was faster. Read it again, then decide.',
    'Conflict. It is a client error of HTTP.',
  ],
] as const
const releases = [
  ['2026-11-01', 12],
  ['2026-10-15', 99],
] as const

/** The better of two answers wins more often, and the first position has a slight advantage. */
export const comparisons: SampleApp = {
  share: 0.22,
  overdueShare: 0,
  payload(random, age) {
    const { context, actions } = compareAnswers.payload
    const [prompt, better, other] = random.pick(prompts)
    return {
      task: {
        type: 'compare-answers',
        name: `Which answer is better: ${prompt}`,
        description: 'Two models answered the same question. Choose the answer you would send, and say why.',
      },
      app: 'model-evals',
      version: releaseAt(age, releases),
      priority: 'low',
      context: {
        data: {
          prompt,
          responses: [
            { name: 'Model A', response: other },
            { name: 'Model B', response: better },
          ],
        },
        ui: context!.ui!,
      },
      actions,
    }
  },
  answer(random) {
    const order = random.chance(0.5) ? [0, 1] : [1, 0]
    const preferred = random.chance(0.62) ? 1 : 0
    const chosen = random.chance(0.2) ? order[0]! : preferred
    const winner = random.chance(0.1) ? 'tie' : ['model-a', 'model-b'][chosen]!
    return {
      actionId: 'choose-winner',
      data: { winner, reason: remark(random, whyBetter) },
      presented: { responses: { order, blind: true } },
    }
  },
}
