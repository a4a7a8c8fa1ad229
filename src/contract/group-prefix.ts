/** Before the slug of a group where members are named by email address. Apart from the schemas, because the web app has none. */
export const groupPrefix = 'group:'
