// Does not import zod, so that pages that import this file do not load it.

/** Precedes the slug of a group where a member would be named by email address: `group:finance`. */
export const groupPrefix = 'group:'
