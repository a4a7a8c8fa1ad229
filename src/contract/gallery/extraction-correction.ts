import type { Example } from './example.ts'

export const extractionCorrection: Example = {
  id: 'extraction-correction',
  title: 'Correct extracted data',
  about:
    'The form contains what the model extracted. The reviewer fixes mistakes, and you can use the corrections for training.',
  payload: {
    task: {
      type: 'invoice-extraction',
      name: 'Check the invoice from Brouwer Techniek',
      description:
        'I could not read the due date well, and the total does not add up. Compare with the text and correct.',
    },
    app: 'invoice-reader',
    version: '2026.45',
    context: {
      data: {
        text: 'Brouwer Techniek B.V.\nFactuur 2026-0713          datum 03-11-2026\n\nOnderhoud koelinstallatie          1   480,00\nKoudemiddel R-290 (kg)             4    63,50\n\n                       Subtotaal      734,00\n                       BTW 21 %       154,14\n                       Totaal         888,14\n\nTe voldoen binnen 30 dagen.',
        doubts: ['The due date is not written out.', 'I read the total as 838.14.'],
      },
      ui: {
        text: { 'ui:title': 'Text of the scan', 'ui:widget': 'code' },
        doubts: { 'ui:title': 'What I am not sure about' },
      },
    },
    actions: [
      {
        id: 'confirm',
        title: 'Confirm',
        outcome: 'positive',
        schema: {
          type: 'object',
          required: ['supplier', 'number', 'date', 'due', 'total', 'currency'],
          properties: {
            supplier: { type: 'string', title: 'Supplier', default: 'Brouwer Techniek B.V.' },
            number: { type: 'string', title: 'Invoice number', default: '2026-0713' },
            date: { type: 'string', format: 'date', title: 'Date', default: '2026-11-03' },
            due: { type: 'string', format: 'date', title: 'Due', default: '2026-11-30' },
            total: { type: 'number', title: 'Total', default: 838.14 },
            currency: { type: 'string', title: 'Currency', enum: ['EUR', 'USD', 'GBP'], default: 'EUR' },
          },
        },
      },
      { id: 'not-an-invoice', title: 'This is not an invoice', outcome: 'negative' },
    ],
  },
}
