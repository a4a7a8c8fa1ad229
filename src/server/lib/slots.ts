/** At most so many at a time per holder, in this process. */
export function createSlots(most: number) {
  const taken = new Map<string, number>()

  /** Returns the function that gives the slot back; undefined: the holder has all of theirs. */
  return function take(holder: string): (() => void) | undefined {
    const count = taken.get(holder) ?? 0
    if (count >= most) return undefined
    taken.set(holder, count + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const left = taken.get(holder)! - 1
      if (left > 0) taken.set(holder, left)
      else taken.delete(holder)
    }
  }
}

export type TakeSlot = ReturnType<typeof createSlots>
