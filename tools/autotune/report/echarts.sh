#!/bin/sh
# echarts.sh FOLDER - makes echarts.min.js, beside this file, of what stands in the source map that the package nicegui
# of PyPI has beside its copy of Apache ECharts 5.5.1: all modules as the project released them. Works in FOLDER. Needs
# pip, python3, and esbuild (Debian: apt-get install esbuild; 0.17.0 made the file that is committed).
#
# The charts and components that entry.js names are little more than half of the whole library (553 KB of 1,031 KB).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
echo 'nicegui==2.24.2 --hash=sha256:9b810fe75f3dd1ff926e3d96d71e25031387fe5b7a21d32159a32611b8023423' >wheel
python3 -m pip download --quiet --require-hashes --no-deps --dest . --requirement wheel
python3 - nicegui-2.24.2-py3-none-any.whl <<'END'
import json, os, sys, zipfile
sources = json.loads(zipfile.ZipFile(sys.argv[1]).read("nicegui/elements/lib/echarts/echarts.js.map"))
for name, text in zip(sources["sources"], sources["sourcesContent"]):
    path = name[3:] if "node_modules" in name else "node_modules/echarts/" + name[3:]
    assert path.startswith("node_modules/") and ".." not in path
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, "w").write(text)
# What these packages say of themselves, as far as a bundler asks: which modules do something when they are loaded.
for name, main, effects in (("echarts", "index.js", ["index.js"]), ("zrender", "index.js", False),
                            ("tslib", "tslib.es6.js", False)):
    with open(f"node_modules/{name}/package.json", "w") as package:
        json.dump({"name": name, "main": main, "sideEffects": effects}, package)
END
cat >entry.js <<'END'
export {init} from 'echarts/lib/core/echarts.js';
import {use} from 'echarts/lib/extension.js';
import {install as Canvas} from 'echarts/lib/renderer/installCanvasRenderer.js';
import {install as Bar} from 'echarts/lib/chart/bar/install.js';
import {install as Line} from 'echarts/lib/chart/line/install.js';
import {install as Scatter} from 'echarts/lib/chart/scatter/install.js';
import {install as Heatmap} from 'echarts/lib/chart/heatmap/install.js';
import {install as Parallel} from 'echarts/lib/chart/parallel/install.js';
import {install as Grid} from 'echarts/lib/component/grid/install.js';
import {install as Tooltip} from 'echarts/lib/component/tooltip/install.js';
import {install as VisualMap} from 'echarts/lib/component/visualMap/installVisualMapContinuous.js';
use([Canvas, Bar, Line, Scatter, Heatmap, Parallel, Grid, Tooltip, VisualMap]);
END
{
    echo '/* Apache ECharts 5.5.1 with ZRender 5.6.0, parts of d3.js, and tslib. Copyright The Apache Software Foundation,'
    echo '   Baidu Inc., Mike Bostock, Microsoft Corporation. Apache License 2.0, BSD 3-Clause, BSD 3-Clause, 0BSD: the'
    echo '   texts are in licences.txt. Some of its modules, made smaller by esbuild: see echarts.sh. */'
    esbuild entry.js --bundle --minify --format=iife --global-name=echarts --target=es2018 --charset=ascii \
        --legal-comments=none '--define:process.env.NODE_ENV="production"' --log-level=warning
} >"$here/echarts.min.js"
