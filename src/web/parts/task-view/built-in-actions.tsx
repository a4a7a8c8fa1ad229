import { KeyCap } from '../../ui/key-cap.tsx'

type Props = { isEnded: boolean; onMarkDone: () => void; onReject: () => void }

/** Ways out that are the service's and not the agent's: apart, and quiet. */
export function BuiltInActions({ isEnded, onMarkDone, onReject }: Props) {
  return (
    <div className="own">
      <span className="lead">Or close it</span>
      <button
        type="button"
        className="btn quiet"
        aria-disabled={isEnded}
        onClick={isEnded ? undefined : onMarkDone}
      >
        Mark done <KeyCap>E</KeyCap>
      </button>
      <button
        type="button"
        className="btn quiet"
        aria-disabled={isEnded}
        onClick={isEnded ? undefined : onReject}
      >
        Reject… <KeyCap>R</KeyCap>
      </button>
    </div>
  )
}
