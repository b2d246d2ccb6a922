# Three stages: build the jar, split it into layers that change at different pace, run.
FROM maven:3-eclipse-temurin-25 AS build
WORKDIR /build
COPY pom.xml ./
COPY src src
RUN mvn -B -ntp -DskipTests package

FROM eclipse-temurin:25-jre AS layers
WORKDIR /layers
COPY --from=build /build/target/fabric-health.jar fabric-health.jar
RUN java -Djarmode=tools -jar fabric-health.jar extract --layers --destination extracted

FROM eclipse-temurin:25-jre
LABEL org.opencontainers.image.title="fabric-health" \
      org.opencontainers.image.description="Finds the links of a GPU fabric that are silently degraded." \
      org.opencontainers.image.licenses="Apache-2.0"

WORKDIR /opt/fabric-health
COPY --from=layers /layers/extracted/dependencies/ ./
COPY --from=layers /layers/extracted/spring-boot-loader/ ./
COPY --from=layers /layers/extracted/snapshot-dependencies/ ./
COPY --from=layers /layers/extracted/application/ ./
RUN mkdir -p config /var/lib/fabric-health && chown 10001:10001 /var/lib/fabric-health

# A container's own loopback can be reached by nobody: here it listens on all addresses.
ENV SERVER_ADDRESS=0.0.0.0 \
    MANAGEMENT_SERVER_ADDRESS=0.0.0.0 \
    FABRIC_HEALTH_DATA_DIR=/var/lib/fabric-health
VOLUME /var/lib/fabric-health
EXPOSE 8080 8081
USER 10001

HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /livez HTTP/1.0\\r\\n\\r\\n' >&3 && read -r status <&3 && [[ $status == *' 200'* ]]"]

ENTRYPOINT ["java", "-XX:MaxRAMPercentage=75", "--enable-native-access=ALL-UNNAMED", "-jar", "fabric-health.jar"]
