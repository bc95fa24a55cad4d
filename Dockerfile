# The command line in a container. dist/ is complete, so nothing is installed but the shell and git that it calls.
#   docker build --tag agent-deploy .
#   docker run --rm --env AGENT_DEPLOY_API_KEY --volume "$PWD:/work" agent-deploy plan
FROM node:24-bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bash ca-certificates git \
  && rm -rf /var/lib/apt/lists/*
COPY package.json action.yml LICENSE /opt/agent-deploy/
COPY dist /opt/agent-deploy/dist
COPY schema /opt/agent-deploy/schema
COPY examples /opt/agent-deploy/examples
RUN ln -s /opt/agent-deploy/dist/cli.js /usr/local/bin/agent-deploy \
  && chmod +x /opt/agent-deploy/dist/cli.js
USER node
WORKDIR /work
ENTRYPOINT ["agent-deploy"]
CMD ["--help"]
