import '../shared/base.css';
import '../shared/controls.css';
import '../shared/tables.css';
import './operate.css';
import '../shared/print.css';
import { render } from 'preact';
import { applyTheme } from '../shared/preferences.ts';
import { App } from './app.tsx';
import { followStatus } from './live/follow-status.ts';

applyTheme();
followStatus();
const root = document.getElementById('app');
if (root) render(<App />, root);
