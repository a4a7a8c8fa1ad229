import type { Example } from './example.ts'

export const freeQuestion: Example = {
  id: 'free-question',
  title: 'Ask a question',
  about: 'The smallest useful task: the agent needs information that only a person has.',
  payload: {
    task: {
      type: 'question',
      name: 'Who signs contracts above €50,000?',
      description:
        'I am preparing the offer for Portoworks (€64,200) and found two names in the handbook: Amara Osei and Jonas Field.',
    },
    app: 'sales-agent',
    version: '1.9.3',
    actions: [
      {
        id: 'answer',
        title: 'Answer',
        schema: {
          type: 'object',
          required: ['answer'],
          properties: { answer: { type: 'string', title: 'Your answer' } },
        },
        ui: { answer: { 'ui:widget': 'textarea', 'ui:placeholder': 'A name is enough' } },
      },
      { id: 'unknown', title: 'I do not know', outcome: 'neutral' },
    ],
  },
}
