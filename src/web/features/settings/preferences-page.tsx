import { capOf } from '../../lib/key-caps.ts'
import { setPreference, usePreference } from '../../lib/preferences.ts'
import { chooseTheme, themes } from '../../lib/theme.ts'
import { ChoiceGroup } from '../../ui/choice-group.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'

const densities = [
  ['comfortable', 'Comfortable', 'Two lines per task.'],
  ['compact', 'Compact', 'One line per task, so more tasks fit on the screen.'],
] as const

const undoTimes = [
  ['0', 'Send immediately', "You can't undo an answer."],
  ['5', '5 seconds'],
  ['10', '10 seconds'],
] as const

export function PreferencesPage() {
  const undoKey = usePreference('singleKeys') === 'on' ? 'z' : '$mod+z'
  return (
    <PageFrame
      title="Preferences"
      intro="These settings apply to everyone who uses this browser. Changes take effect immediately."
    >
      <ChoiceGroup label="Theme" value={usePreference('theme')} options={themes} onChoose={chooseTheme} />
      <ChoiceGroup
        label="List density"
        value={usePreference('density')}
        options={densities}
        onChoose={(density) => setPreference('density', density)}
      />
      <ChoiceGroup
        label="Time to undo an answer"
        help={`How long an answer waits in this browser before it is sent. Press ${capOf(undoKey)} to undo it.`}
        value={usePreference('undoSeconds')}
        options={undoTimes}
        onChoose={(seconds) => setPreference('undoSeconds', seconds)}
      />
    </PageFrame>
  )
}
