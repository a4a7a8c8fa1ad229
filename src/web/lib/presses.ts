type Press = {
  /** The topmost dialog or menu at the time of the press, before any handler ran. */
  overlay: Element | undefined
  /** A held key, or the second click of a double click. */
  isRepeated: boolean
  key: string
  previousKey: string
  /** Follows the previous key as fast as letters of a text do. */
  isQuick: boolean
  /** Follows the previous key soon enough to complete a sequence, such as G I. */
  isInSequence: boolean
}

// Keys that follow each other faster than this count as typed text.
const typingMilliseconds = 700
// tinykeys waits this long for the next key of a sequence.
const sequenceMilliseconds = 1_000

let press: Press = {
  overlay: undefined,
  isRepeated: false,
  key: '',
  previousKey: '',
  isQuick: false,
  isInSequence: false,
}
const modifiers = new Set(['Control', 'Alt', 'AltGraph', 'Shift', 'Meta'])
let lastKeyAt = Number.NEGATIVE_INFINITY
/** The key that triggered an action and is still held. */
let consumedKey: string | undefined

/**
 * The press being handled, recorded before any handler runs: a dialog that closes on a key is
 * closed when the same event reaches the page, which must not act on it again.
 */
export function currentPress(): Press {
  return press
}

/** Ignores the key until it is released, so that holding it neither repeats the action nor types text. */
export function ignoreUntilReleased(event: KeyboardEvent): void {
  consumedKey = keyId(event)
}

window.addEventListener(
  'keydown',
  (event) => {
    // Pressing only a modifier is not recorded.
    if (modifiers.has(event.key)) return
    const pause = event.timeStamp - lastKeyAt
    press = {
      overlay: topOverlay(),
      isRepeated: event.repeat,
      key: event.key,
      previousKey: press.key,
      isQuick: pause < typingMilliseconds,
      isInSequence: pause < sequenceMilliseconds,
    }
    lastKeyAt = event.timeStamp
    if (!event.repeat) consumedKey = undefined
    if (keyId(event) !== consumedKey && !isHeldActivation(event) && !isSubmitInMenu(event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  },
  { capture: true },
)

window.addEventListener(
  'click',
  ({ detail }) => {
    // 0: the click was triggered by a key, which is already recorded.
    if (detail > 0) {
      press = {
        overlay: topOverlay(),
        isRepeated: detail > 1,
        key: '',
        previousKey: press.key,
        isQuick: false,
        isInSequence: false,
      }
    }
  },
  { capture: true },
)

function keyId({ code, key }: KeyboardEvent): string {
  return code || key
}

/** The last one in the document, because an overlay is added to the document when it is opened. */
function topOverlay(): Element | undefined {
  return [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]')].at(-1)
}

/** The topmost dialog, which covers the page. Menus are not included. */
export function topDialog(): Element | undefined {
  return [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1)
}

export function isTyping(target: EventTarget | null): target is HTMLElement {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('textarea, select, input:not([type=radio], [type=checkbox], [type=button])'))
  )
}

/** A held Enter or Space would activate a button repeatedly, or a button that replaces it. */
function isHeldActivation({ key, target, repeat, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (!repeat || !(target instanceof Element)) return false
  if (key === 'Enter') return ctrlKey || metaKey || !target.matches('textarea, [contenteditable]')
  return key === ' ' && target.matches('button, a, summary, [role^=menuitem]')
}

/** Enter with Ctrl, ⌘ or Alt is never meant for a menu, where it would activate the highlighted item. */
function isSubmitInMenu({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (key !== 'Enter' || !(ctrlKey || metaKey || altKey)) return false
  return target instanceof Element && target.closest('[role=menu], [cmdk-root]') !== null
}
