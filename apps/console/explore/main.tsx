import '../shared/base.css';
import '../shared/controls.css';
import '../shared/tables.css';
import './explore.css';
import '../shared/print.css';
import { render } from 'preact';
import { applyTheme } from '../shared/preferences.ts';
import { App } from './app.tsx';

applyTheme();
const root = document.getElementById('app');
if (root) render(<App />, root);
