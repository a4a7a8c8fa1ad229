import { type RefObject, useEffect, useRef } from 'react'

/**
 * A function that one component of the task registers and another one calls. `run` is missing while
 * none is registered.
 */
export type Handler<Input> = { run?: (input: Input) => void }

/** Registers a function while the component is mounted. */
export function useHandler<Input>(
  handler: RefObject<Handler<Input>> | undefined,
  run: (input: Input) => void,
): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (!handler) return undefined
    handler.current = { run: (input) => latest.current(input) }
    return () => {
      handler.current = {}
    }
  }, [handler])
}
