import { z } from 'zod'

/** An operation of a JSON Patch (RFC 6902). */
export const PatchOperation = z.object({
  op: z.enum(['add', 'remove', 'replace']),
  path: z.string(),
  value: z.unknown().optional(),
})
export type PatchOperation = z.infer<typeof PatchOperation>

/** What a person did with a form field that was prefilled from the context. */
export const Edit = z.object({
  field: z.string().meta({ description: 'Path of the field in data.' }),
  source: z.string().meta({ description: 'The field of context.data that it was prefilled from.' }),
  changed: z.boolean(),
  before: z.unknown().optional().meta({ description: 'The prefilled value, if it was changed.' }),
  after: z
    .unknown()
    .optional()
    .meta({ description: 'The submitted value, if it was changed. Left out: the field was left empty.' }),
  diff: z
    .union([z.string(), z.array(PatchOperation)])
    .optional()
    .meta({ description: 'Unified diff of a text, JSON Patch (RFC 6902) of an object or a list.' }),
  truncated: z.literal(true).optional().meta({
    description:
      'true: before and after, and possibly diff, were left out, because the size of all edits of an answer is limited.',
  }),
})
export type Edit = z.infer<typeof Edit>
