import type { Example } from './example.ts'

export const compareAnswers: Example = {
  id: 'compare-answers',
  title: 'Compare two answers to one prompt',
  about:
    'Find out which model, prompt or release writes the better answer. The agent gets the choice and the reason as data.',
  payload: {
    task: {
      type: 'compare-answers',
      name: 'Which answer explains debouncing better?',
      description:
        'Two models answered the same question from a junior developer. Choose the answer you would send, and say why.',
    },
    app: 'model-evals',
    version: '2026-11-01',
    context: {
      data: {
        prompt: 'What does debouncing a function mean, and when should I use it? Show a short example.',
        responses: [
          {
            name: 'Model A',
            response:
              '**Debouncing** waits until calls stop coming, then runs the function once.\n\nUse it when only the *last* call matters:\n\n- search while typing\n- saving a draft\n- resizing a window\n\n```ts\nfunction debounce(run: () => void, pause: number) {\n  let timer: ReturnType<typeof setTimeout>\n  return () => {\n    clearTimeout(timer)\n    timer = setTimeout(run, pause)\n  }\n}\n```\n\nEach call restarts the wait, so `run` happens after `pause` milliseconds of quiet.',
          },
          {
            name: 'Model B',
            response:
              '**Debouncing** means that a function is not called too often.\n\nIt is used for events that fire many times, such as scrolling or typing:\n\n```ts\nfunction debounce(run: () => void, pause: number) {\n  let last = 0\n  return () => {\n    if (Date.now() - last > pause) {\n      last = Date.now()\n      run()\n    }\n  }\n}\n```\n\nThis makes sure that `run` happens at most once every `pause` milliseconds.',
          },
        ],
      },
      ui: {
        prompt: { 'ui:title': 'Prompt', 'ui:widget': 'markdown' },
        responses: {
          'ui:title': 'Answers',
          'ui:widget': 'compare',
          items: { response: { 'ui:widget': 'markdown' } },
        },
      },
    },
    actions: [
      {
        id: 'choose-winner',
        title: 'Choose the better answer',
        schema: {
          type: 'object',
          required: ['winner', 'reason'],
          properties: {
            winner: {
              type: 'string',
              title: 'Better answer',
              enum: ['model-a', 'model-b', 'tie'],
              enumNames: ['Model A', 'Model B', 'Both are equally good'],
            },
            reason: { type: 'string', title: 'Why?', maxLength: 1000 },
          },
        },
        ui: {
          winner: { 'ui:widget': 'radio', 'ui:options': { compare: 'responses', prompt: 'prompt' } },
          reason: { 'ui:widget': 'textarea', 'ui:placeholder': 'What made the difference?' },
        },
      },
    ],
  },
}
