/** What follows the prefix of a public id: 26 characters of lower-case Crockford base32, ordered by time. */
export const idPattern = '[0-9a-hjkmnp-tv-z]{26}'
