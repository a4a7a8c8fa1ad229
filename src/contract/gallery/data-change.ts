import type { Example } from './example.ts'

export const dataChange: Example = {
  id: 'data-change',
  title: 'Approve a data change',
  about: 'A person reviews the affected rows before a statement changes production data.',
  payload: {
    task: {
      type: 'data-change',
      name: 'Merge 4 duplicate customers',
      description:
        'These pairs share name and tax number. The newer record is deleted, and its orders move to the older one.',
    },
    app: 'data-steward',
    version: '0.8.1',
    context: {
      data: {
        rows: [
          { keep: 10442, remove: 30981, name: 'Atelier Roux', taxNumber: 'FR 61 794 112 330', orders: 7 },
          { keep: 11873, remove: 29417, name: 'Kestrel Dairy', taxNumber: 'IE 6388047V', orders: 0 },
          { keep: 15209, remove: 31550, name: 'Sato Instruments', taxNumber: 'JP 7010401089', orders: 23 },
          { keep: 20015, remove: 31002, name: 'Studio Lindqvist', taxNumber: 'SE 556703748501', orders: 2 },
        ],
        statement:
          'BEGIN;\nUPDATE orders SET customer_id = keep FROM merges WHERE customer_id = remove;\nDELETE FROM customers USING merges WHERE id = remove;\nCOMMIT;',
        backup: 'https://ops.example/backups/customers-2026-11-14',
      },
      ui: {
        rows: { 'ui:title': 'Rows that change', 'ui:widget': 'table' },
        statement: { 'ui:title': 'Statement', 'ui:widget': 'code' },
        backup: { 'ui:title': "Today's backup", 'ui:widget': 'link' },
      },
    },
    actions: [
      { id: 'run', title: 'Run it', outcome: 'positive' },
      {
        id: 'leave-out',
        title: 'Run without some rows',
        outcome: 'neutral',
        schema: {
          type: 'object',
          required: ['leaveOut'],
          properties: {
            leaveOut: {
              type: 'array',
              title: 'Leave out',
              minItems: 1,
              uniqueItems: true,
              items: {
                type: 'integer',
                enum: [30981, 29417, 31550, 31002],
                enumNames: ['Atelier Roux', 'Kestrel Dairy', 'Sato Instruments', 'Studio Lindqvist'],
              },
            },
          },
        },
        ui: { leaveOut: { 'ui:widget': 'checkboxes' } },
      },
      {
        id: 'refuse',
        title: 'Do not run it',
        outcome: 'negative',
        schema: {
          type: 'object',
          required: ['reason'],
          properties: { reason: { type: 'string', title: 'Why not?' } },
        },
        ui: { reason: { 'ui:widget': 'textarea' } },
      },
    ],
  },
}
