// Does not import zod, so that pages that import this file do not load it.

/** A response header of an export with the number of tasks that will be read, to show progress. */
export const exportTotalHeader = 'handrail-export-total'
