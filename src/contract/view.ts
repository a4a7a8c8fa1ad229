import { z } from 'zod'
import { printable } from './field.ts'
import { InboxFilters } from './inbox.ts'
import { limits } from './limits.ts'

/** A search has no place in a view, because its results cannot be counted. */
export const ViewFilters = InboxFilters.omit({ q: true })
export type ViewFilters = z.infer<typeof ViewFilters>

/** Filters of the inbox under a name. */
export const View = z.strictObject({ name: printable(limits.viewName), filters: ViewFilters })
export type View = z.infer<typeof View>

export const SaveViews = z.strictObject({ views: z.array(View).max(limits.views) })
export type SaveViews = z.infer<typeof SaveViews>

export const CountedView = View.extend({
  open: z.int().meta({ description: 'Tasks that wait for people.' }),
  stopped: z.boolean().meta({ description: 'True when there are more than were counted.' }),
})
export type CountedView = z.infer<typeof CountedView>

export const Views = z.object({
  views: z.array(CountedView).meta({ description: 'Of the requesting person.' }),
  shared: z.array(CountedView).meta({ description: 'Of everybody in the workspace.' }),
})
export type Views = z.infer<typeof Views>
