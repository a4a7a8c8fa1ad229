type Press = {
  /** The topmost dialog, sheet or menu when it happened, before anything had acted on it. */
  overlay: Element | undefined
  /** A key that is held, or a click that follows another at the same place. */
  isRepeated: boolean
  key: string
  /** Milliseconds since the key before it. */
  pause: number
}

let press: Press = { overlay: undefined, isRepeated: false, key: '', pause: Number.POSITIVE_INFINITY }
const modifiers = new Set(['Control', 'Alt', 'AltGraph', 'Shift', 'Meta'])
let lastKeyAt = Number.NEGATIVE_INFINITY
/** The key that was used and is still down. */
let used: string | undefined

/**
 * The press that is being handled. It is noted before anything acts on it: a dialog that closes on a key is gone when the
 * same event reaches the page, which must not act on it, too.
 */
export function currentPress(): Press {
  return press
}

/** The key has done its work. As long as it is held it does nothing more and types nothing, wherever the focus goes. */
export function consume(event: KeyboardEvent): void {
  used = nameOf(event)
}

window.addEventListener(
  'keydown',
  (event) => {
    // The first half of a chord is no press of its own.
    if (modifiers.has(event.key)) return
    press = {
      overlay: topOverlay(),
      isRepeated: event.repeat,
      key: event.key,
      pause: event.timeStamp - lastKeyAt,
    }
    lastKeyAt = event.timeStamp
    if (!event.repeat) used = undefined
    if (nameOf(event) !== used && !isHeldActivation(event) && !isChordOnItem(event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  },
  { capture: true },
)

window.addEventListener(
  'click',
  ({ detail }) => {
    // 0: by a key, which was noted already.
    if (detail > 0) {
      press = { overlay: topOverlay(), isRepeated: detail > 1, key: '', pause: Number.POSITIVE_INFINITY }
    }
  },
  { capture: true },
)

function nameOf({ code, key }: KeyboardEvent): string {
  return code || key
}

/** What is opened later comes later in the document. */
function topOverlay(): Element | undefined {
  return [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]')].at(-1)
}

/** Held, Enter and Space would press a button again and again, or the one that comes into its place. */
function isHeldActivation({ key, target, repeat, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (!repeat || !(target instanceof Element)) return false
  if (key === 'Enter') return ctrlKey || metaKey || !target.matches('textarea, [contenteditable]')
  return key === ' ' && target.matches('button, a, summary, [role^=menuitem]')
}

/** Ctrl+Enter sends. In a menu it would press whatever item happens to be highlighted. */
function isChordOnItem({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (key !== 'Enter' || !(ctrlKey || metaKey || altKey)) return false
  return target instanceof Element && target.closest('[role=menu], [cmdk-root]') !== null
}
