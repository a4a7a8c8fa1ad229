import { isObject, own } from './forms/json.ts'

/** The widgets that show a field of the context. The page has one file for each. */
export const contextWidgets = [
  'markdown',
  'compare',
  'text',
  'code',
  'diff',
  'json',
  'table',
  'keyvalue',
  'link',
  'url',
  'image',
  'email',
  'chat',
  'badge',
  'number',
  'date',
  'progress',
  'hidden',
] as const
export type ContextWidget = (typeof contextWidgets)[number]

/** What a widget needs, in words, and whether a value is of that kind. A value of the right kind may still be unfit: the page decides. */
type Need = { what: string; isMet(value: unknown): boolean }

const text: Need = { what: 'text', isMet: isText }
const listOfObjects: Need = { what: 'a list of objects', isMet: (value) => isList(value, isObject) }
const anything: Need = { what: 'a value', isMet: () => true }
const address: Need = { what: 'an address or an object with a url', isMet: isAddress }

export const widgetNeeds: Record<ContextWidget, Need> = {
  markdown: text,
  text,
  code: text,
  compare: listOfObjects,
  table: { what: 'a list of objects', isMet: (value) => isList(value, isContainer) },
  diff: {
    what: '{ before, after } or the text of a diff',
    isMet: (value) => isText(value) || isObject(value),
  },
  json: anything,
  hidden: anything,
  keyvalue: { what: 'an object', isMet: isObject },
  link: address,
  url: address,
  image: { what: address.what, isMet: (value) => isAddress(value) || isList(value, isAddress) },
  email: { what: 'an object', isMet: isObject },
  chat: {
    what: 'a list of messages with roles',
    isMet: (value) => isList(isObject(value) ? own(value, 'messages') : value, isObject),
  },
  badge: { what: 'a word or a list of words', isMet: (value) => isWord(value) || isList(value, isWord) },
  number: { what: 'a number', isMet: (value) => typeof value === 'number' || isNumberInText(value) },
  date: { what: 'an ISO 8601 date', isMet: (value) => typeof value === 'number' || isDateInText(value) },
  progress: {
    what: 'a number',
    isMet: (value) => typeof (isObject(value) ? own(value, 'value') : value) === 'number',
  },
}

// Enough to know what a list holds, however long it is.
const lookedAt = 100

function isList(value: unknown, isElement: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.slice(0, lookedAt).every(isElement)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isWord(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function isAddress(value: unknown): boolean {
  if (!isObject(value)) return isText(value)
  return ['url', 'src', 'href'].some((name) => isText(own(value, name)))
}

function isNumberInText(value: unknown): boolean {
  return typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value)
}

function isDateInText(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value)
}
