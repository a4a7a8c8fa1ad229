import { z } from 'zod'
import { printable } from './field.ts'
import { InboxFilters } from './inbox.ts'
import { limits } from './limits.ts'

/**
 * A view shows a count, but search results are counted only up to one page. So a view has no
 * search.
 */
export const ViewFilters = InboxFilters.omit({ q: true })
export type ViewFilters = z.infer<typeof ViewFilters>

/** Filters of the inbox under a name. */
export const View = z.strictObject({ name: printable(limits.viewName), filters: ViewFilters })
export type View = z.infer<typeof View>

export const SaveViews = z.strictObject({ views: z.array(View).max(limits.views) })
export type SaveViews = z.infer<typeof SaveViews>

export const CountedView = View.extend({
  open: z.int().meta({ description: 'Number of matching tasks that wait for people.' }),
  hasMore: z.boolean().meta({ description: 'True when there are more than were counted.' }),
})
export type CountedView = z.infer<typeof CountedView>

export const Views = z.object({
  views: z.array(CountedView).meta({ description: 'Views of the requesting person.' }),
  shared: z.array(CountedView).meta({ description: 'Views that everybody in the workspace shares.' }),
})
export type Views = z.infer<typeof Views>
