import type { Example } from './example.ts'

const names = ['Quiet mornings', 'Your week, sorted', 'Less inbox, more day']

export const ranking: Example = {
  id: 'ranking',
  title: 'Rank several drafts',
  about:
    'With more than two candidates, choosing the best and the weakest is faster than ranking all of them.',
  payload: {
    task: {
      type: 'headline-ranking',
      name: 'Rank three headlines for the spring campaign',
      description: 'Choose the one you would print, and the one you would drop first.',
    },
    app: 'copywriter',
    version: 'tone-3',
    priority: 'low',
    context: {
      data: {
        brief: 'For people who run a small office. Calm, no exclamation marks, at most five words.',
        headlines: [
          {
            name: names[0],
            response:
              '### Quiet mornings\n\nYour mail is read, sorted and answered before the coffee is ready.',
          },
          {
            name: names[1],
            response: '### Your week, sorted\n\nOne list on Monday. Nothing forgotten on Friday.',
          },
          {
            name: names[2],
            response: '### Less inbox, more day\n\nWe take the mail. You take the afternoon.',
          },
        ],
      },
      ui: {
        brief: { 'ui:title': 'Brief' },
        headlines: {
          'ui:title': 'Headlines',
          'ui:widget': 'compare',
          items: { response: { 'ui:widget': 'markdown' } },
        },
      },
    },
    actions: [
      {
        id: 'rank',
        title: 'Rank',
        schema: {
          type: 'object',
          required: ['best', 'weakest'],
          properties: {
            best: { type: 'string', title: 'The best', enum: names },
            weakest: { type: 'string', title: 'The weakest', enum: names },
            stars: { type: 'integer', title: 'How good is the best one?', minimum: 1, maximum: 5 },
          },
        },
        ui: {
          best: { 'ui:widget': 'radio', 'ui:options': { compare: 'headlines', prompt: 'brief' } },
          weakest: { 'ui:widget': 'radio' },
          stars: { 'ui:widget': 'rating' },
        },
      },
    ],
  },
}
