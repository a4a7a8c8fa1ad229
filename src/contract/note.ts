import { z } from 'zod'
import { optional, printable, Timestamp, text } from './field.ts'
import { limits } from './limits.ts'
import { Reviewer } from './review.ts'

/** A note is for colleagues. Agents never see it. */
export const AddNote = z.strictObject({
  text: text(limits.noteText).meta({
    description:
      'Members and groups that it mentions are notified: @ and an email address, or @ and group:<slug>.',
  }),
  idempotencyKey: optional(printable(limits.idempotencyKey)),
})
export type AddNote = z.infer<typeof AddNote>

export const NoteKind = z.enum(['note', 'assigned', 'reminded', 'escalated'])
export type NoteKind = z.infer<typeof NoteKind>

/** A note that a member wrote, or an entry about an assignment, a reminder or an escalation. */
export const TaskNote = z.object({
  noteId: z.string(),
  kind: NoteKind,
  text: z.string().meta({
    description: 'Empty if the content of the task was deleted. Otherwise empty only if kind is not note.',
  }),
  by: z.string().meta({ description: 'An email address. service:policy if kind is reminded or escalated.' }),
  at: Timestamp,
  assignedTo: z.string().optional().meta({
    description:
      'With kind assigned or escalated. Left out: the assignment was removed, or the escalation left it as it was.',
  }),
})
export type TaskNote = z.infer<typeof TaskNote>

export const NoteAdded = z.object({ noteId: z.string() })

export const AssignTask = z.strictObject({
  to: Reviewer.nullable().meta({
    description: 'Email address of a member, or group:<slug>. null: nobody in particular.',
  }),
  note: text(limits.noteText).optional(),
  idempotencyKey: optional(printable(limits.idempotencyKey)),
})
export type AssignTask = z.infer<typeof AssignTask>
