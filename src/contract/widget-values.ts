import { isObject, own } from './forms/json.ts'

/** The widgets that show a field of the context. */
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

/**
 * What kind of value a widget requires. If a value of the right kind is still unusable, the page
 * shows the default widget, and the sender gets no warning.
 */
type Requirement = { description: string; isMet(value: unknown): boolean }

const text: Requirement = { description: 'text', isMet: isText }
const listOfObjects: Requirement = {
  description: 'a list of objects',
  isMet: (value) => isList(value, isObject),
}
const anything: Requirement = { description: 'a value', isMet: () => true }
const link: Requirement = {
  description: 'a URL or an object with a url',
  isMet: (value) => hasAddress(value, ['url', 'href']),
}
const isPicture = (value: unknown) => hasAddress(value, ['url', 'src'])

export const widgetRequirements: Record<ContextWidget, Requirement> = {
  markdown: text,
  text,
  code: text,
  compare: listOfObjects,
  table: { description: 'a list of objects or of lists', isMet: (value) => isList(value, isContainer) },
  diff: {
    description: '{ before, after }, { old, new } or the text of a diff',
    isMet: (value) => isText(value) || isObject(value),
  },
  json: anything,
  hidden: anything,
  keyvalue: { description: 'an object', isMet: isObject },
  link,
  url: link,
  image: {
    description: 'the URL of an image, an object with a url, or a list of these',
    isMet: (value) => isPicture(value) || isList(value, isPicture),
  },
  email: { description: 'an object', isMet: isObject },
  chat: {
    description: 'a list of messages with roles',
    isMet: (value) => isList(isObject(value) ? own(value, 'messages') : value, isObject),
  },
  badge: {
    description: 'a short text, a number or a boolean, or a list of these',
    isMet: (value) => isWord(value) || isList(value, isWord),
  },
  number: { description: 'a number', isMet: (value) => typeof value === 'number' || isNumberInText(value) },
  date: {
    description: 'an ISO 8601 date or date-time, or a Unix timestamp in seconds or milliseconds',
    isMet: (value) => typeof value === 'number' || isDateInText(value),
  },
  progress: {
    description: 'a number',
    isMet: (value) => typeof (isObject(value) ? own(value, 'value') : value) === 'number',
  },
}

/** The first items are enough to find out what a list contains. */
export const maxItemsChecked = 100

function isList(value: unknown, isElement: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.slice(0, maxItemsChecked).every(isElement)
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

function hasAddress(value: unknown, names: string[]): boolean {
  if (!isObject(value)) return isText(value)
  return names.some((name) => isText(own(value, name)))
}

function isNumberInText(value: unknown): boolean {
  return typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value)
}

function isDateInText(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value)
}
