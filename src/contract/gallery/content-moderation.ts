import type { Example } from './example.ts'

/** A drawing of a bottle, 96 x 72: the gallery must work without a network. */
const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAGAAAABIBAMAAAD7Se1QAAAAHlBMVEU8SEpehIB4eHiWdEKWtLCgPDS8llzOxLLs6N729O6lNedaAAAAfklEQVR42mPoIBEwDFsNDQxAwDG0NXQIAkHHqIZRDVhUQwDNNLiMahgUGmge0zPhYAhrmBoKBpG000B7P0xSAgLNQRWsYCeB3IRHgzEEEG8DqRrSYADuJJI0kGwDzTUQk0VHmIZyMIBrAHEQGsoxweDVgAJorwEvGNUwRDUAAN41XwCMrzfXAAAAAElFTkSuQmCC'

export const contentModeration: Example = {
  id: 'content-moderation',
  title: 'Moderate a listing',
  about:
    'The classifier is unsure. A person reviews the picture and the text, and selects the rules that the listing breaks.',
  payload: {
    task: {
      type: 'listing-moderation',
      name: 'Does this listing promise a cure?',
      description: 'The classifier says “health claim” with 0.58. Below 0.80 a person decides.',
    },
    app: 'marketplace',
    version: 'clf-77',
    context: {
      data: {
        picture,
        listing:
          'Cold-pressed blackseed oil, 250 ml. Our grandmother swore by it for sore joints and a restful night. Not a medicine.',
        seller: { name: 'Oleander & Sons', since: '2021-04-02', listings: 41, removedBefore: 1 },
        confidence: 58,
      },
      ui: {
        picture: { 'ui:title': 'Picture', 'ui:widget': 'image' },
        listing: { 'ui:title': 'Text of the listing' },
        seller: { 'ui:title': 'Seller', 'ui:widget': 'keyvalue' },
        confidence: { 'ui:title': 'How sure the classifier is', 'ui:widget': 'progress' },
      },
    },
    actions: [
      { id: 'keep', title: 'Keep it', outcome: 'neutral' },
      {
        id: 'remove',
        title: 'Remove it',
        outcome: 'neutral',
        schema: {
          type: 'object',
          required: ['rules'],
          properties: {
            rules: {
              type: 'array',
              title: 'Which rules does it break?',
              minItems: 1,
              uniqueItems: true,
              items: {
                type: 'string',
                enum: ['health-claim', 'misleading-picture', 'forbidden-product'],
                enumNames: ['Promises a cure', 'Picture misleads', 'Product is not allowed'],
              },
            },
            warnSeller: { type: 'boolean', title: 'Warn the seller', default: true },
          },
        },
        ui: { rules: { 'ui:widget': 'checkboxes' }, warnSeller: { 'ui:widget': 'toggle' } },
      },
    ],
  },
}
