import { preference } from '../../lib/preferences.ts'

/** Whether answers are held for a few seconds before they are sent. */
export const canUndo = () => Number(preference('undoSeconds')) > 0
