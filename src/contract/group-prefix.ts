// This file does not import zod, so that the web app can use it.

/** Precedes the slug of a group where a member would be named by email address: `group:finance`. */
export const groupPrefix = 'group:'
