import { formatTime } from '../lib/time.ts'
import { type CardTask, describeTask, type Line, type Tone } from './describe-task.ts'

const element = (id: string) => document.getElementById(id)!

export const openButton = element('open') as HTMLButtonElement
export const refreshButton = element('refresh') as HTMLButtonElement

/** Shows what is known about the task. */
export function showTask(task: CardTask): void {
  const { state, tone, name, description, lines } = describeTask(task, Date.now())
  showState(state, tone)
  showText('name', name)
  showText('description', description)
  element('lines').replaceChildren(...lines.map(lineElement))
  element('lines').hidden = lines.length === 0
  element('footer').hidden = task.taskId === undefined
  openButton.hidden = webAddressOf(task) === undefined
  openButton.classList.toggle('primary', task.status === 'open' || task.status === undefined)
}

export function showState(state: string, tone: Tone): void {
  const chip = element('state')
  // Setting the same text again would make screen readers announce it again.
  if (chip.textContent !== state) chip.textContent = state
  chip.className = `chip ${tone}`
}

/** Shows the current time as that of the last successful check. */
export function showChecked(): void {
  element('checked').className = ''
  element('checked-words').textContent = 'Checked at'
  element('checked-time').textContent = formatTime(new Date().toISOString(), Date.now())
}

/** The time of the last successful check stays: it says how old the card is. */
export function showNotRefreshed(): void {
  element('checked').className = 'failed'
  const isKnown = element('checked-time').textContent !== ''
  element('checked-words').textContent = `Couldn't refresh.${isKnown ? ' Checked at' : ''}`
}

/** Shows the URL as text, for a host that does not open links. */
export function showLink(url: string): void {
  element('url').textContent = url
  element('link').hidden = false
}

/** The URL of the task's page, or undefined if it is unknown or not an HTTP URL. */
export function webAddressOf({ url }: CardTask): string | undefined {
  return url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : undefined
}

function showText(id: string, text: string): void {
  element(id).textContent = text
  element(id).hidden = text === ''
}

function lineElement({ mark, text, detail }: Line): HTMLElement {
  const item = document.createElement('li')
  item.className = mark
  item.append(paragraph('clamped', text))
  if (detail !== undefined) item.append(paragraph('detail', detail))
  return item
}

function paragraph(className: string, text: string): HTMLElement {
  const created = document.createElement('p')
  created.className = className
  created.dir = 'auto'
  created.textContent = text
  return created
}
