import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { humanizeName } from '../../contract/forms/humanize-name.ts'
import { isObject, type JsonObject, own } from '../../contract/forms/json.ts'
import { survivesAsDouble } from '../../contract/json-text-number.ts'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { Icon } from '../ui/icon.tsx'
import styles from './chat.module.css'
import { DefaultValue } from './default-value.tsx'
import Markdown from './markdown.tsx'
import type { WidgetProps } from './registry.ts'
import { useShowMore } from './use-show-more.tsx'
import widgetsStyles from './widgets.module.css'

/**
 * A conversation: a list of `{ role, content }`, or `{ messages }` with such a list. `from` and `text`
 * are accepted as names of these fields too. Tool calls, their results and other fields are folded.
 */
export default function Chat({ value }: WidgetProps) {
  const messages = isObject(value) && Object.keys(value).length === 1 ? own(value, 'messages') : value
  const isChat =
    Array.isArray(messages) &&
    messages.length > 0 &&
    messages.every((message) => isObject(message) && roleOf(message))
  if (!isChat)
    throw new TypeError('chat needs a list of one or more messages, each with a role of 1 to 60 characters.')
  return <Messages messages={messages as JsonObject[]} />
}

function Messages({ messages }: { messages: JsonObject[] }) {
  const { shown, more } = useShowMore(messages, 50, 'messages')
  return (
    <>
      <ol className={styles.chat}>
        {shown.map((message, n) => (
          <Message key={n} message={message} />
        ))}
      </ol>
      {more}
    </>
  )
}

function Message({ message }: { message: JsonObject }) {
  const role = roleOf(message) ?? ''
  const name = own(message, 'name')
  const { texts, others } = partsOf(message)
  const isTool = role === 'tool' || role === 'function'
  return (
    <li className={role === 'user' ? styles.user : undefined}>
      <p className={styles.role}>
        <bdi>{bidiSafe(humanizeName(role))}</bdi>
        {typeof name === 'string' && name !== '' && (
          <span className="mono">
            <bdi>{bidiSafe(name)}</bdi>
          </span>
        )}
      </p>
      {texts.map((text, n) =>
        isTool ? (
          <Folded key={n} title="Result" value={parseJsonOrText(text)} />
        ) : (
          <Markdown key={n} value={text} hints={{}} />
        ),
      )}
      {others.map(({ title, value }, n) => (
        <Folded key={n} title={title} value={value} />
      ))}
    </li>
  )
}

function Folded({ title, value }: { title: string; value: unknown }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={`${styles.folded} ${widgetsStyles.folded}`}>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon of={ChevronRight} />
        <bdi>{bidiSafe(title)}</bdi>
      </button>
      {isOpen && <DefaultValue value={value} />}
    </div>
  )
}

function roleOf(message: JsonObject): string | undefined {
  const role = own(message, 'role') ?? own(message, 'from')
  return typeof role === 'string' && role !== '' && role.length <= 60 ? role : undefined
}

type FoldedPart = { title: string; value: unknown }

/** Splits a message into its texts and all other fields, which are shown folded. */
function partsOf(message: JsonObject): { texts: string[]; others: FoldedPart[] } {
  const texts: string[] = []
  const others: FoldedPart[] = []
  const hasRole = Object.hasOwn(message, 'role')
  for (const [field, value] of Object.entries(message)) {
    // The role and the name are shown above the message.
    if (field === 'role' || (field === 'from' && !hasRole)) continue
    if (field === 'name' && typeof value === 'string') continue
    if (field === 'content' || field === 'text') {
      for (const part of Array.isArray(value) ? value : [value]) {
        const text = isObject(part) && own(part, 'type') === 'text' ? own(part, 'text') : part
        if (typeof text !== 'string') others.push(...(part === null ? [] : [describePart(part)]))
        else if (text !== '') texts.push(text)
      }
    } else if (field === 'tool_calls' && Array.isArray(value)) {
      others.push(...value.map(describePart))
    } else if (value !== null) {
      others.push({ title: humanizeName(field), value })
    }
  }
  return { texts, others }
}

/** A part that is folded, with its title. Tool calls are recognized in the formats of common APIs. */
function describePart(part: unknown): FoldedPart {
  const call = isObject(part) ? part : {}
  const inner = own(call, 'function')
  const source = isObject(inner) ? inner : call
  const name = own(source, 'name')
  const type = own(call, 'type')
  if (typeof name === 'string' && name !== '') return { title: `Call: ${name.slice(0, 100)}`, value: part }
  return { title: typeof type === 'string' ? humanizeName(type.slice(0, 100)) : 'More', value: part }
}

/** An object or list that JSON.parse reads without changing a number, else the text. */
function parseJsonOrText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    const isStructure = typeof value === 'object' && value !== null
    return isStructure && numbersOf(text).every(survivesAsDouble) ? value : text
  } catch {
    return text
  }
}

/** The numbers in valid JSON, as they are written. */
function numbersOf(json: string): string[] {
  return json.replace(/"(?:[^"\\]+|\\.)*"/g, '').match(/-?\d[\d.eE+-]*/g) ?? []
}
